/** @module-tag long */
/** @module-tag slow */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { datasetsAnswer, revisionsAnswer } from '#shared/contract/answers.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

/** Nearly the most that a text may have. */
const LARGEST = 999_000;
const key = (value: string) => ({ headers: { 'idempotency-key': value } });

describeOnOneDatabase('stored answers of idempotency keys', (open, { prepare }) => {
  let t: TestApp;
  let archive: Archive;
  let table: Table;
  let clerk: TestClient;
  let datasets: string;
  let revisions: string;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NO' }, { name: 'NOTE' }, { name: 'MORE' }]);
    const rows = Array.from({ length: 4 }, (_, i) => [`${i}`, large(i), `${large(i)} “more”\n`]);
    await buildRecords(t.database, archive, rows);
    table = await buildTable(t.database, [{ name: 'name' }, { name: 'note' }]);
    await buildUser(t.database, {
      rights: [rightOn(archive, 'manage'), rightOn(table, 'manage')],
    });
    clerk = await t.signedIn('clerk');
    datasets = datasetsPath(table);
    revisions = `${archivePath(archive)}/documents`;
  });
  /** Hardly to be compressed, and different for each number. */
  const large = (of: number) =>
    Array.from({ length: 4_000 }, (_, i) => Math.sin(i + of * 1e5).toString(36)).join('');
  const no = (value: string) => ({ indexFields: [{ name: 'NO', value }] });
  const note = (value: string) => ({ indexFields: [{ name: 'NOTE', value }] });
  const stored = async (app = t) => {
    const rows = await app.database.read((db) =>
      db.k.selectFrom('stored_answers').selectAll().execute(),
    );
    return {
      count: rows.length,
      bytes: rows.reduce((sum, { body }) => sum + (body?.length ?? 0), 0),
    };
  };

  it('are of one query; the case of a GUID and the name of an archive make no other request', async () => {
    const body = { dataset: { name: 'one' } };
    const first = await clerk.post(datasets, body, key('guid'));
    const upper = datasets.replace(table.guid, table.guid.toUpperCase());
    expect((await clerk.post(upper, body, key('guid'))).text).toBe(first.text);
    const count = await clerk.get(`${datasets}/count?where[name][eq]=one`);
    expect(count.body).toEqual({ count: 1 });

    const batch = { revisions: [{ revisionId: 4, ...no('by its GUID') }] };
    const byName = `${archivePath(archive)}/indexdata`;
    const byGuid = byName.replace(archive.name, archive.guid.toUpperCase());
    const changed = await clerk.patch(byName, batch, key('batch'));
    expect(changed.status).toBe(200);
    expect((await clerk.patch(byGuid, batch, key('batch'))).text).toBe(changed.text);
    const kept = await clerk.patch(`${byName}?receipt=true`, batch, key('batch'));
    const again = await clerk.patch(`${byName}?receipt=%74rue`, batch, key('batch'));
    const bulkEditIds = [changed, kept, again].map(
      (answer) => revisionsAnswer.parse(answer.body).meta?.bulkEditId,
    );
    expect(bulkEditIds).toEqual([undefined, expect.any(String), bulkEditIds[1]]);
  });

  it('are exact whatever became of the records since', async () => {
    const form = formOf([
      ['indexFields[0][name]', 'NOTE'],
      ['indexFields[0][value]', large(9)],
    ]);
    const calls = [
      () => clerk.patch(`${revisions}/1/indexdata`, no('changed'), key('a')),
      () => clerk.patch(`${revisions}/1/indexdata`, note(large(5)), key('b')),
      () => clerk.patch(`${revisions}/1`, { locked: true }, key('c')),
      () =>
        clerk.patch(
          `${archivePath(archive)}/indexdata`,
          { revisions: [1, 2, 3].map((revisionId) => ({ revisionId, ...no('batch') })) },
          key('d'),
        ),
      () =>
        clerk.post(`${revisions}/2`, form.body, {
          headers: { ...form.headers, 'idempotency-key': 'e' },
        }),
      () =>
        clerk.post(
          datasets,
          { datasets: [6, 7].map((i) => ({ name: `${i}`, note: large(i) })) },
          key('f'),
        ),
      () => clerk.post(datasets, { dataset: { name: 'small' } }, key('g')),
    ];
    const inOrder = async () => {
      const answers = [];
      // The second changes what the first has answered.
      for (const call of calls) answers.push(await call());
      return answers.map(({ status, headers, text }) => [status, headers['etag'], text]);
    };
    const first = await inOrder();
    expect(first.map(([status]) => status)).toEqual([200, 200, 200, 200, 201, 200, 200]);
    expect(await inOrder()).toEqual(first);

    for (const text of ['x', large(1), 'y', large(2), 'z', large(3)]) {
      await clerk.patch(`${revisions}/1/indexdata`, note(text));
      await clerk.patch(`${revisions}/2/indexdata`, note(text));
    }
    expect((await clerk.delete(`${revisions}/2`)).status).toBe(204);
    const jrids = datasetsAnswer
      .parse(JSON.parse(String(first[5]?.[2])))
      .datasets.map(({ jrid }) => ({ jrid }));
    expect((await clerk.delete(datasets, { datasets: jrids })).status).toBe(204);
    expect(await inOrder()).toEqual(first);
  });

  it('do not hold large texts once more', async () => {
    const before = await stored();
    const text = large(11).repeat(26).slice(0, LARGEST);
    const sent: string[] = [];
    for (let i = 0; i < 10; i += 1) {
      const saved = await clerk.patch(
        `${revisions}/3/indexdata`,
        note(`${i}${text}`),
        key(`l${i}`),
      );
      expect(saved.text.length).toBeGreaterThan(LARGEST);
      sent.push(saved.text);
    }
    const after = await stored();
    expect(after.count).toBe(before.count + 10);
    expect(after.bytes - before.bytes).toBeLessThan(10 * 1_024);
    const again = await clerk.patch(`${revisions}/3/indexdata`, note(`4${text}`), key('l4'));
    expect(again.text).toBe(sent[4]);
  });

  it('are refused, and nothing is done again, where a field is not known any more', async () => {
    const path = `${revisions}/4/indexdata`;
    expect((await clerk.patch(path, no('first'), key('renamed'))).status).toBe(200);
    const later = await clerk.patch(path, no('second'));
    await t.database.write((db) =>
      sql`update archives set definition = replace(definition, '"MORE"', '"OTHER"')
        where id = ${archive.id}`.execute(db.k),
    );
    const restarted = await openApp(() => Promise.resolve(t.database));
    const client = restarted.client();
    for (const [name, value] of clerk.cookies) client.cookies.set(name, value);
    const { status, body } = await client.patch(path, no('first'), key('renamed'));
    expect(status).toBe(409);
    expect(errorBodySchema.parse(body).errors['-']).toEqual([
      expect.stringContaining('nothing was done again'),
    ]);
    const now = await clerk.get(`${revisions}/4`);
    expect(now.headers['etag']).toBe(later.headers['etag']);
  });

  it('are bounded by person: the oldest go first, the newest stays however large it is', async () => {
    const small = await openApp(open, { maxStoredAnswerBytes: 8 * 1_024 });
    const there = await buildTable(small.database, [
      { name: 'name' },
      { name: 'no', type: 'integer' },
    ]);
    for (const username of ['one', 'two']) {
      await buildUser(small.database, { username, rights: [rightOn(there, 'write')] });
    }
    const [one, two] = [await small.signedIn('one'), await small.signedIn('two')];
    const path = datasetsPath(there);
    const post = (by: TestClient, name: string) => by.post(path, { dataset: { name } }, key(name));
    const other = await post(two, 'of another');
    const answers = [];
    for (let i = 0; i < 40; i += 1) answers.push(await post(one, `${i}`));
    expect((await stored(small)).count).toBeLessThanOrEqual(16 + 1);
    expect((await post(two, 'of another')).text).toBe(other.text);
    expect((await post(one, '39')).text).toBe(answers[39]?.text);
    expect((await post(one, '30')).text).toBe(answers[30]?.text);
    // As one that was never sent.
    expect((await post(one, '0')).text).not.toBe(answers[0]?.text);
    const many = {
      datasets: Array.from({ length: 500 }, (_, i) => ({ name: large(i).slice(0, 30), no: i })),
    };
    const batch = await one.post(path, many, key('many'));
    expect((await one.post(path, many, key('many'))).text).toBe(batch.text);
    expect((await stored(small)).count).toBe(2);
  });

  it('outlive the upgrade from a database that kept them whole', async () => {
    const config = await prepare();
    const old = await openApp(() => open(config));
    const there = await buildTable(old.database, [{ name: 'name' }]);
    await buildUser(old.database, { rights: [rightOn(there, 'write')] });
    const client = await old.signedIn('clerk');
    const path = datasetsPath(there);
    const body = { dataset: { name: 'before the upgrade' } };
    const first = await client.post(path, body, key("it's"));
    await old.database.write(async (db) => {
      const answer = await db.k
        .selectFrom('stored_answers')
        .select(['user_id', 'fingerprint', 'status', 'headers', 'body', 'created_at'])
        .executeTakeFirstOrThrow();
      await sql`drop table stored_answers`.execute(db.k);
      // As version 1 made it.
      await sql`create table idempotency (user_id integer not null, method text not null, path text not null,
        key text not null, fingerprint text not null, status integer not null, headers text not null, body text,
        created_at bigint not null, primary key (user_id, method, path, key))`.execute(db.k);
      const { user_id, fingerprint, status, headers, created_at } = answer;
      for (const guid of [there.guid.toUpperCase(), there.guid]) {
        const stored = `/api/rest/v2/${datasetsPath({ ...there, guid })}`;
        await sql`insert into idempotency values (${user_id}, 'POST', ${stored}, ${"it's"}, ${fingerprint}, ${status},
          ${headers}, ${answer.body}, ${created_at})`.execute(db.k);
      }
      // More than one page.
      for (let i = 0; i < 250; i += 1) {
        await sql`insert into idempotency values (${user_id}, 'POST', '/api/rest/v2/x', ${`key ${i}`}, 'x', 200, '{}',
          null, ${created_at})`.execute(db.k);
      }
      const version = { value: '14' };
      await db.k
        .updateTable('installation')
        .set(version)
        .where('key', '=', 'schema_version')
        .execute();
    });
    await old.database.close();
    const upgraded = await openApp(() => open(config));
    const again = upgraded.client();
    for (const [name, value] of client.cookies) again.cookies.set(name, value);
    expect((await again.post(path, body, key("it's"))).text).toBe(first.text);
    expect((await again.get(`${path}/count`)).body).toEqual({ count: 1 });
    expect((await stored(upgraded)).count).toBe(251);
  });
});
