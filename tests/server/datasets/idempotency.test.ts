import { beforeAll, describe, expect, it } from 'vitest';
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

describeOnOneDatabase('idempotency keys on records', (open, { prepare }) => {
  let config: Awaited<ReturnType<typeof prepare>>;
  let t: TestApp;
  let client: TestClient;
  let datasets: string;
  let calls: readonly Call[];
  let first: unknown[][];
  beforeAll(async () => {
    config = await prepare();
    t = await openApp(() => open(config));
    client = t.client();
    const archive = await buildArchive(t.database, [{ name: 'NO' }]);
    await buildRecords(t.database, archive, [['a'], ['b']]);
    const table = await buildTable(t.database, [{ name: 'text' }]);
    await buildUser(t.database, {
      rights: [rightOn(archive, 'manage'), rightOn(table, 'manage')],
    });
    await client.signIn('clerk');
    datasets = datasetsPath(table);
    const revision = `${archivePath(archive)}/documents/1`;
    const tag = String((await client.get(revision)).headers['etag']);
    const no = (value: string) => ({ indexFields: [{ name: 'NO', value }] });
    calls = [
      ['POST', datasets, { dataset: { text: 'one' } }],
      ['POST', datasets, { datasets: [{ text: 'two' }, { text: 'three' }] }],
      ['PUT', `${datasets}/1`, { dataset: { text: 'changed' } }],
      ['PATCH', `${revision}/indexdata`, no('once'), { 'if-match': tag }],
      ['PUT', `${revision}/indexdata`, no('put')],
      [
        'PATCH',
        `${archivePath(archive)}/indexdata`,
        { revisions: [{ revisionId: 2, ...no('x') }] },
      ],
      ['PATCH', revision, { locked: true }],
      ['DELETE', datasets, { datasets: [{ jrid: 2 }] }],
      ['DELETE', `${archivePath(archive)}/documents/2`, undefined],
    ];
  });
  const run = async () => {
    const answers: unknown[][] = [];
    for (const [i, [method, path, body, headers = {}]] of calls.entries()) {
      const answer = await client.send(method, path, body, {
        headers: { ...headers, 'idempotency-key': `key ${i}` },
      });
      answers.push([method, path, answer.status, answer.text, answer.headers['etag']]);
    }
    return answers;
  };
  const count = async (query = '') => (await client.get(`${datasets}/count${query}`)).body;

  it('give the first answer again to the byte, before If-Match', async () => {
    first = await run();
    expect(first.map(([, , status]) => status)).toEqual([
      200, 200, 200, 200, 200, 200, 200, 204, 204,
    ]);
    expect(await run()).toEqual(first);
    expect(await count()).toEqual({ count: 2 });
  });

  it('are obeyed once where equal calls come at once', async () => {
    const same = { headers: { 'idempotency-key': 'at once' } };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        client.post(datasets, { dataset: { text: 'at once' } }, same),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await count('?where[text][eq]=at once')).toEqual({ count: 1 });
  });

  it('are refused with another body; kept for one method and path, and for successes alone', async () => {
    const headers = { 'idempotency-key': 'key 0' };
    const other = await client.post(datasets, { dataset: { text: 'other' } }, { headers });
    expect([other.status, other.body]).toMatchObject([409, { code: 'conflict' }]);
    const elsewhere = await client.put(`${datasets}/1`, { dataset: { text: 'z' } }, { headers });
    expect(elsewhere.status).toBe(200);
    const wrong = { headers: { 'idempotency-key': 'wrong first' } };
    expect((await client.post(datasets, { dataset: { nope: 1 } }, wrong)).status).toBe(422);
    expect((await client.post(datasets, { dataset: { text: 'right' } }, wrong)).status).toBe(200);
  });

  describe('after a restart', () => {
    beforeAll(async () => {
      const { cookies } = client;
      await t.app.close();
      await t.database.close();
      t = await openApp(() => open(config));
      client = t.client();
      for (const [name, value] of cookies) client.cookies.set(name, value);
    });

    it('give it again too', async () => {
      const before = await count();
      expect(await run()).toEqual(first);
      expect(await count()).toEqual(before);
    });
  });
});

type Call = readonly [
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body: unknown,
  headers?: Record<string, string>,
];
