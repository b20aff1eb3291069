import { expect, it } from 'vitest';
import { buildUser, openApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';

describeOnBothDatabases('idempotency keys on records', (open, { prepare }) => {
  it('give the first answer again to the byte, before If-Match, also after a restart', async () => {
    const prepared = await prepare();
    const before = await openApp(() => open(prepared));
    const client = before.client();
    const archive = await buildArchive(before.database, [{ name: 'NO' }]);
    await buildRecords(before.database, archive, [['a'], ['b']]);
    const table = await buildTable(before.database, [{ name: 'text' }]);
    await buildUser(before.database, {
      rights: [rightOn(archive, 'manage'), rightOn(table, 'manage')],
    });
    await client.signIn('clerk');
    const datasets = datasetsPath(table);
    const revision = `${archivePath(archive)}/documents/1`;
    const tag = String((await client.get(revision)).headers['etag']);
    const no = (value: string) => ({ indexFields: [{ name: 'NO', value }] });
    const calls = [
      ['POST', datasets, { dataset: { text: 'one' } }, {}],
      ['POST', datasets, { datasets: [{ text: 'two' }, { text: 'three' }] }, {}],
      ['PUT', `${datasets}/1`, { dataset: { text: 'changed' } }, {}],
      ['PATCH', `${revision}/indexdata`, no('once'), { 'if-match': tag }],
      ['PUT', `${revision}/indexdata`, no('put'), {}],
      [
        'PATCH',
        `${archivePath(archive)}/indexdata`,
        { revisions: [{ revisionId: 2, ...no('x') }] },
        {},
      ],
      ['PATCH', revision, { locked: true }, {}],
      ['DELETE', datasets, { datasets: [{ jrid: 2 }] }, {}],
      ['POST', `${datasets}/undo`, { historyIds: [] as number[] }, {}],
      ['DELETE', `${archivePath(archive)}/documents/2`, undefined, {}],
    ] as const;
    const run = async (client: TestClient) => {
      const answers = [];
      for (const [i, [method, path, body, headers]] of calls.entries()) {
        const answer = await client.send(method, path, body, {
          headers: { ...headers, 'idempotency-key': `key ${i}` },
        });
        answers.push([method, path, answer.status, answer.text, answer.headers['etag']]);
      }
      return answers;
    };
    const first = await run(client);
    // Only the undo of nothing fails.
    expect(first.map(([, , status]) => status)).toEqual([
      200, 200, 200, 200, 200, 200, 200, 204, 422, 204,
    ]);
    const count = (await client.get(`${datasets}/count`)).body;
    expect((await run(client)).filter((_, i) => i !== 8)).toEqual(first.filter((_, i) => i !== 8));
    const cookies = [...client.cookies];
    await before.app.close();
    await before.database.close();

    const after = (await openApp(() => open(prepared))).client();
    for (const [name, value] of cookies) after.cookies.set(name, value);
    expect((await run(after)).filter((_, i) => i !== 8)).toEqual(first.filter((_, i) => i !== 8));
    expect((await after.get(`${datasets}/count`)).body).toEqual(count);
    const headers = { 'idempotency-key': 'key 0' };
    const other = await after.post(datasets, { dataset: { text: 'other' } }, { headers });
    expect([other.status, other.body]).toMatchObject([409, { code: 'conflict' }]);
    // Another path, another method or no success: nothing is kept for it.
    expect((await after.put(`${datasets}/1`, { dataset: { text: 'z' } }, { headers })).status).toBe(
      200,
    );
    const wrong = { headers: { 'idempotency-key': 'wrong first' } };
    expect((await after.post(datasets, { dataset: { nope: 1 } }, wrong)).status).toBe(422);
    expect((await after.post(datasets, { dataset: { text: 'right' } }, wrong)).status).toBe(200);

    const same = { headers: { 'idempotency-key': 'at once' } };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => after.post(datasets, { dataset: { text: 'at once' } }, same)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await after.get(`${datasets}/count?where[text][eq]=at once`)).body).toEqual({
      count: 1,
    });
  });
});
