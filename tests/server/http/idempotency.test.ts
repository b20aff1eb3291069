import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { Table } from '#server/database/records/collection.ts';
import { StoredAnswers } from '#server/http/idempotency.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildTable } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { holdSwitches, waitForBlocked } from '#tests/support/held-writes.ts';

const DAY = 24 * 60 * 60_000;
const countBody = z.object({ count: z.number() });
const createdBody = z.object({ datasets: z.tuple([z.object({ jrid: z.string() })]) });

describeOnBothDatabases('idempotency keys', (open) => {
  let t: TestApp;
  let table: Table;
  let datasets: string;
  let client: TestClient;

  beforeAll(async () => {
    t = await openApp(open);
    table = await buildTable(t.database, [{ name: 'name', unique: true }]);
    datasets = `application/dataapp/tables/${table.guid}/datasets`;
    for (const username of ['one', 'two']) {
      await buildUser(t.database, { username, role: 'administrator' });
    }
    client = await t.signedIn('one');
  });

  const key = (value: string) => ({ headers: { 'idempotency-key': value } });
  const named = (name: string) => ({ dataset: { name } });
  const count = async () => countBody.parse((await client.get(`${datasets}/count`)).body).count;

  it('gives the first answer again, byte for byte', async () => {
    const before = await count();
    const first = await client.post(datasets, named('once'), key('k1'));
    expect(first.status).toBe(200);
    const { jrid } = createdBody.parse(first.body).datasets[0];
    // What came since changes nothing about it.
    await client.put(`${datasets}/${jrid}`, { dataset: { name: 'changed' } });
    const again = await client.post(datasets, named('once'), key('k1'));
    expect([
      again.status,
      again.text,
      again.headers['etag'],
      again.headers['content-type'],
    ]).toEqual([first.status, first.text, first.headers['etag'], first.headers['content-type']]);
    expect(first.headers['etag']).toMatch(/^"/);
    expect(await count()).toBe(before + 1);
  });

  it('writes before it gives an answer again on PostgreSQL, so that it is with the standby', async () => {
    if (!t.database.adapter.isShared) return;
    const commits = () =>
      t.database.read(
        async (db) =>
          (
            await sql<{
              xmin: string;
            }>`select xmin::text from stored_answers
              order by created_at desc limit 1`.execute(db.k)
          ).rows,
      );
    await client.post(datasets, named('safe'), key('k9'));
    const before = await commits();
    expect((await client.post(datasets, named('safe'), key('k9'))).status).toBe(200);
    expect(await commits()).not.toEqual(before);
  });

  it('refuses the key with another body', async () => {
    await client.post(datasets, named('first body'), key('k2'));
    const other = await client.post(datasets, named('second body'), key('k2'));
    expect(other).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const shape = await client.post(datasets, { nothing: 1 }, key('k2'));
    expect(shape.status).toBe(422);
  });

  it('is looked up before If-Match', async () => {
    const created = await client.post(datasets, named('matched'));
    const path = `${datasets}/${createdBody.parse(created.body).datasets[0].jrid}`;
    const headers = {
      'idempotency-key': 'k3',
      'if-match': created.headers['etag']?.toString() ?? '',
    };
    const first = await client.put(path, named('matched 2'), { headers });
    expect(first.status).toBe(200);
    const again = await client.put(path, named('matched 2'), { headers });
    expect([again.status, again.text]).toEqual([200, first.text]);
    const stale = await client.put(path, named('matched 3'), {
      headers: { ...headers, 'idempotency-key': 'k3b' },
    });
    expect(stale.status).toBe(412);
  });

  it('keeps only successes', async () => {
    await client.post(datasets, named('taken'));
    expect((await client.post(datasets, named('taken'), key('k4'))).status).toBe(409);
    expect((await client.post(datasets, named('free'), key('k4'))).status).toBe(200);
  });

  it('waits for an equal request that is under way', async () => {
    const before = await count();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.post(datasets, named('together'), key('k5'))),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await count()).toBe(before + 1);
  });

  it('waits for an equal change of a definition, and gives its answer again where the path has no archive any more', async () => {
    const { name } = await buildArchive(t.database, [{ name: 'NO' }]);
    const send = (method: 'PUT' | 'DELETE', path: string, body?: object) => {
      const headers = { 'idempotency-key': `${method} ${path}`, 'if-match': '*' };
      return () => client.send(method, `configuration/archives/${path}`, body, { headers });
    };
    const changed = {
      table: `${name}_2`,
      name: 'Renamed',
      indexFields: [{ name: 'NO', type: 'text' }],
    };
    const calls = [
      { call: send('PUT', name, { archive: changed }), status: 200 },
      { call: send('DELETE', changed.table), status: 204 },
      {
        call: send('DELETE', `${changed.table}?purge=true`, { confirm: changed.table }),
        status: 204,
      },
    ];
    for (const { call, status } of calls) {
      const answers = [...(await Promise.all([call(), call()])), await call()];
      const [first] = answers;
      expect(first?.status).toBe(status);
      expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    }
    const gone = await client.get(`configuration/archives/${changed.table}`);
    expect(gone.status).toBe(404);
  });

  it('waits for an equal change of a definition of another process', async () => {
    if (!t.database.adapter.isShared) return;
    const { name } = await buildArchive(t.database, [{ name: 'NO' }]);
    const other = await openApp(() => Promise.resolve(t.database));
    const there = other.client();
    for (const [cookie, value] of client.cookies) there.cookies.set(cookie, value);
    const path = `configuration/archives/${name}`;
    const indexFields = [{ name: 'NO', type: 'integer' }];
    const body = { archive: { table: name, name: 'Numbers', indexFields } };
    const headers = { ...key('k10').headers, 'if-match': '*' };
    const goOn = await holdSwitches(t.database);
    const first = client.put(path, body, { headers });
    await waitForBlocked(t.database, 1);
    const second = there.put(path, body, { headers });
    // Other calls of the other process are answered meanwhile.
    expect((await there.get(path)).status).toBe(200);
    await goOn();
    const answers = await Promise.all([first, second]);
    expect(answers[0].status).toBe(200);
    expect(answers[1]).toMatchObject({ status: 200, text: answers[0].text });
  });

  it('does not wait for another process once the client is gone', async () => {
    const { database } = t;
    if (!database.adapter.isShared) return;
    const noNames = () => Promise.resolve(new Map());
    const process = () => new StoredAnswers(1_000_000, () => Promise.resolve([]), noNames);
    const keyed = { userId: 1, request: 'same', fingerprint: '', target: null };
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = process().runInTurn(database, keyed, {}, async () => {
      begun.resolve();
      await held.promise;
      return 'first';
    });
    await begun.promise;
    const client = new AbortController();
    const { signal } = client;
    const second = process().runInTurn(database, keyed, { signal }, () =>
      Promise.resolve('second'),
    );
    client.abort();
    await expect(second).rejects.toThrow('connection');
    held.resolve();
    expect(await first).toBe('first');
  });

  it('belongs to user, method and path', async () => {
    const other = await t.signedIn('two');
    const body = named('theirs');
    expect((await client.post(datasets, body, key('k6'))).status).toBe(200);
    expect((await other.post(datasets, body, key('k6'))).status).toBe(409);
    const table2 = await buildTable(t.database, [{ name: 'name' }]);
    const there = datasets.replace(table.guid, table2.guid);
    await expect.poll(async () => (await client.post(there, body, key('k6'))).status).toBe(200);
  });

  it('outlives a restart, and is forgotten after 14 days', async () => {
    const first = await client.post(datasets, named('lasting'), key('k7'));
    const restarted = await openApp(() => Promise.resolve(t.database));
    const there = restarted.client();
    for (const [name, value] of client.cookies) there.cookies.set(name, value);
    expect((await there.post(datasets, named('lasting'), key('k7'))).text).toBe(first.text);
    await age(14 * DAY - 60_000);
    expect((await client.post(datasets, named('lasting'), key('k7'))).status).toBe(200);
    await age(60_001);
    expect((await client.post(datasets, named('lasting'), key('k7'))).status).toBe(409);
    expect((await client.post(datasets, named('another'), key('k7'))).status).toBe(200);
  });

  const age = (milliseconds: number) =>
    t.database.write(async (db) => {
      await db.k
        .updateTable('stored_answers')
        .set((eb) => ({ created_at: eb('created_at', '-', milliseconds) }))
        .execute();
    });

  it('takes any key of at most 255 characters', async () => {
    for (const name of ["' or 1=1 --", '"quoted"', 'é', 'x'.repeat(255)]) {
      const answer = await client.post(datasets, named(`key ${name}`), key(name));
      expect([name.slice(0, 20), answer.status]).toEqual([name.slice(0, 20), 200]);
    }
    expect((await client.post(datasets, named('long'), key('x'.repeat(256)))).status).toBe(400);
  });

  it('is not kept for a sign-out', async () => {
    const other = await t.signedIn('two');
    expect((await other.delete('application/sessions', undefined, key('k8'))).status).toBe(204);
    const again = await t.signedIn('two');
    expect((await again.delete('application/sessions', undefined, key('k8'))).status).toBe(204);
    expect((await again.get('application/sessions')).status).toBe(401);
  });
});
