import { beforeAll, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { datasetsAnswer } from '#shared/contract/answers.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { deletedAnswer } from '#shared/contract/table-analysis-answers.ts';

describeOnBothDatabases('the deleted datasets of a table', (open) => {
  let t: TestApp;
  let table: Table;
  let anna: TestClient;
  let bert: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    table = await buildTable(t.database, [
      { name: 'text', label: 'Text' },
      { name: 'n', label: 'N', type: 'integer' },
    ]);
    const other = await buildTable(t.database, [{ name: 'text', label: 'Text' }]);
    await buildUser(t.database, {
      username: 'anna',
      rights: [rightOn(table, 'manage'), rightOn(other, 'manage')],
    });
    await buildUser(t.database, { username: 'bert', rights: [rightOn(table, 'read')] });
    await buildUser(t.database, { username: 'stranger' });
    anna = await t.signedIn('anna');
    bert = await t.signedIn('bert');
    const [elsewhere] = await create(datasetsPath(other), [{ text: 'elsewhere' }]);
    await remove(datasetsPath(other), elsewhere ?? '');
  });

  const create = async (path: string, datasets: readonly object[]) => {
    const { body } = await anna.post(path, { datasets });
    return datasetsAnswer.parse(body).datasets.map(({ jrid }) => jrid);
  };
  const remove = async (path: string, ...jrids: string[]) => {
    const { status } = await anna.delete(path, { datasets: jrids.map((jrid) => ({ jrid })) });
    expect(status).toBe(204);
  };
  const read = async (query = '', by = bert) =>
    deletedAnswer.parse((await by.get(`${datasetsPath(table)}/deleted${query}`)).body);

  it('are answered newest first in pages, with what stood in them, and can be brought back', async () => {
    const all = datasetsPath(table);
    const [a = '', b = '', c = '', d = ''] = await create(all, [
      { text: 'a', n: 1 },
      { text: 'b' },
      { text: 'c' },
      { text: 'd' },
    ]);
    expect((await read()).deleted).toEqual([]);
    await remove(all, a);
    await remove(all, b, c);

    const { deleted, meta } = await read();
    expect(deleted.map(({ jrid }) => jrid)).toEqual([c, b, a]);
    expect(deleted[2]).toMatchObject({
      user: 'anna',
      changes: [
        { name: 'text', before: 'a', after: null },
        { name: 'n', before: 1, after: null },
      ],
    });
    expect(meta.pagination).toEqual({ limit: 50, next: null });

    const first = await read('?limit=2');
    expect(first.deleted.map(({ jrid }) => jrid)).toEqual([c, b]);
    const rest = await read(`?limit=2&before=${first.meta.pagination.next}`);
    expect(rest.deleted.map(({ jrid }) => jrid)).toEqual([a]);
    expect(rest.meta.pagination.next).toBeNull();

    // What came back is none of them, until it goes again.
    const { historyId } = deleted.find(({ jrid }) => jrid === b) ?? { historyId: '' };
    expect((await anna.post(`${all}/undo`, { historyIds: [historyId] })).status).toBe(200);
    expect((await read()).deleted.map(({ jrid }) => jrid)).toEqual([c, a]);
    await remove(all, b, d);
    expect((await read()).deleted.map(({ jrid }) => jrid)).toEqual([d, b, c, a]);
  });

  it('are told to who may read the table, and what is not understood is named', async () => {
    const path = `${datasetsPath(table)}/deleted`;
    const stranger = await t.signedIn('stranger');
    expect((await stranger.get(path)).status).toBe(404);
    const wrong = await bert.get(`${path}?limit=0&before=x&q=a`);
    expect(wrong.status).toBe(400);
    expect(Object.keys(errorBodySchema.parse(wrong.body).errors).sort()).toEqual([
      'before',
      'limit',
      'q',
    ]);
  });
});
