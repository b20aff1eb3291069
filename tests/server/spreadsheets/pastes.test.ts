/** @module-tag slow */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { datasetListAnswer, historyAnswer } from '#shared/contract/answers.ts';
import {
  type AnsweredBulkEdit,
  type BulkEditDataset,
  bulkEditDatasetsAnswer,
  bulkEditListAnswer,
} from '#shared/contract/bulk-edit-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildRecords, buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { bulkEditOf, doWhileUnderWay, ended } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const COLUMNS = [
  { name: 'CODE', label: 'Code', unique: true },
  { name: 'NAME', label: 'Name', required: true },
  { name: 'TOTAL', label: 'Total', type: 'decimal' },
  { name: 'DAY', label: 'Day', type: 'date' },
  { name: 'COUNTRY', label: 'Country', default: 'DE' },
];
const columnsOf = (...names: readonly string[]) => names.map((field) => ({ field }));
const pathOf = (table: Table, rest: string) => `application/dataapp/tables/${table.guid}/${rest}`;

describeOnOneDatabase('A paste into a data table', (open) => {
  let t: TestApp;
  let table: Table;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { role: 'administrator' });
    clerk = await t.signedIn('clerk');
  });
  beforeEach(async () => {
    table = await buildTable(t.database, COLUMNS);
    await buildRecords(t.database, table, [
      ['A-1', 'one', 1.5, null, 'CH'],
      ['A-2', 'two', null, '2026-01-02', 'DE'],
      ['A-3', 'three', 3, null, null],
    ]);
  });
  const path = (rest: string) => pathOf(table, rest);
  const at = ({ bulkEditId }: AnsweredBulkEdit) => path(`bulkedits/${bulkEditId}`);
  const stored = async () => {
    const { body } = await clerk.get(`${datasetsPath(table)}?limit=1000&sort=jrid`);
    return datasetListAnswer
      .parse(body)
      .datasets.map((dataset) => table.fields.map(({ name }) => dataset[name]));
  };
  const list = async () => {
    const { body } = await clerk.get(`${datasetsPath(table)}?sort=jrid`);
    const { datasets, meta } = datasetListAnswer.parse(body);
    return datasets.map(({ jrid }) => ({ jrid, ifMatch: meta.etags[jrid] ?? '' }));
  };
  const rowsOf = async (job: AnsweredBulkEdit): Promise<BulkEditDataset[]> => {
    const { body } = await clerk.get(`${at(job)}/datasets?limit=1000`);
    return bulkEditDatasetsAnswer.parse(body).datasets;
  };
  const run = async (job: AnsweredBulkEdit, verb: 'apply' | 'undo') => {
    expect(await clerk.post(`${at(job)}/${verb}`, verb === 'apply' ? {} : undefined)).toMatchObject(
      {
        status: 200,
      },
    );
    return ended(clerk, at(job));
  };
  const plan = async (columns: readonly object[], datasets: readonly object[]) =>
    bulkEditOf(await clerk.post(path('pastes'), { columns, datasets }));

  it('is planned, applied, listed and undone as an import is', async () => {
    const [first, second] = await list();
    const before = await stored();
    const job = await plan(columnsOf('CODE', 'NAME', 'TOTAL', 'DAY'), [
      { ...first, cells: ['B-1', 'first', 10.25, '2026-03-04'] },
      // A row that is shorter leaves the columns behind it as they are.
      { ...second, cells: ['', 'second'] },
      { cells: ['B-3', 'new', null, ''] },
    ]);
    expect(job).toMatchObject({
      kind: 'paste',
      state: 'planned',
      counts: { total: 3, changed: 2, created: 1, pending: 3 },
    });
    expect(await stored()).toEqual(before);
    const done = await run(job, 'apply');
    expect(done).toMatchObject({ state: 'done', counts: { done: 3 } });
    expect(await stored()).toEqual([
      ['B-1', 'first', 10.25, '2026-03-04', 'CH'],
      [null, 'second', null, '2026-01-02', 'DE'],
      ['A-3', 'three', 3, null, null],
      // What is empty in a new record takes its default.
      ['B-3', 'new', null, null, 'DE'],
    ]);
    const listed = bulkEditListAnswer.parse((await clerk.get(path('bulkedits'))).body).bulkedits;
    expect(listed.map(({ bulkEditId, kind }) => [bulkEditId, kind])).toEqual([
      [job.bulkEditId, 'paste'],
    ]);
    expect(await run(job, 'undo')).toMatchObject({ state: 'undone', counts: { takenBack: 3 } });
    expect(await stored()).toEqual(before);
  });

  it('reads texts by what is said of their column, and names what it cannot by row and column', async () => {
    const [first, second, third] = await list();
    const columns = [
      { field: 'NAME' },
      { field: 'TOTAL', decimal: ',' },
      { field: 'DAY', order: 'dmy' },
    ];
    const job = await plan(columns, [
      { ...first, cells: ['first', '1.234,50', '03/04/2026'] },
      { ...second, cells: ['', 'many', '31/02/2026'] },
      { ...third, cells: ['third', true] },
      // An empty row creates nothing.
      { cells: ['', null] },
      { cells: ['', 1] },
    ]);
    expect(job.counts).toMatchObject({ total: 4, changed: 1, invalid: 3, created: 0 });
    const [read, ...refused] = await rowsOf(job);
    expect(read?.changes).toMatchObject([
      { name: 'NAME', after: 'first' },
      { name: 'TOTAL', after: 1234.5 },
      { name: 'DAY', after: '2026-04-03' },
    ]);
    expect(refused.map(({ outcome }) => outcome)).toEqual(['invalid', 'invalid', 'invalid']);
    const [several, typed, missing] = refused.map(({ message }) => message);
    expect(several).toMatch(/^Row 2: .*Total “many”: .*Day “31\/02\/2026”: .*DD\.MM\.YYYY/s);
    expect(several).toContain('Name: ');
    expect(typed).toMatch(/^Row 3: Total “true”: /);
    expect(missing).toMatch(/^Row 5: Name: /);
    await run(job, 'apply');
    expect((await stored()).map(([, name]) => name)).toEqual(['first', 'two', 'three']);
  });

  it('compares values of unique columns with the table and with its other rows', async () => {
    const [first, second] = await list();
    const job = await plan(columnsOf('CODE', 'NAME'), [
      { ...first, cells: ['X-1'] },
      // The row before frees this code.
      { ...second, cells: ['A-1'] },
      { cells: ['A-3', 'taken'] },
      { cells: ['N-1', 'new'] },
      { cells: ['N-1', 'again'] },
    ]);
    const rows = await rowsOf(job);
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      'changed',
      'changed',
      'invalid',
      'new',
      'invalid',
    ]);
    expect(rows.at(-1)?.message).toContain('Row 4 of the paste already has this value');
    expect(rows[2]?.message).toContain('it must be unique');
  });

  it('leaves out what others changed or deleted since it was read, and says who did', async () => {
    const [first, second, third] = await list();
    await clerk.put(`${datasetsPath(table)}/${first?.jrid}`, { dataset: { NAME: 'theirs' } });
    await clerk.send('DELETE', datasetsPath(table), { datasets: [{ jrid: second?.jrid }] });
    const columns = columnsOf('NAME');
    const job = await plan(columns, [
      { ...first, cells: ['mine'] },
      { ...second, cells: ['mine'] },
      { ...third, cells: ['mine'] },
    ]);
    expect(job.counts).toMatchObject({ changed: 1, conflicts: 1, missing: 1 });
    const [conflict, missing] = await rowsOf(job);
    expect(conflict).toMatchObject({ outcome: 'conflict', jrid: first?.jrid });
    expect(conflict?.message).toContain('clerk');
    expect(missing).toMatchObject({
      outcome: 'missing',
      message: `Row 2: There is no record ${second?.jrid}.`,
    });
    await run(job, 'apply');
    expect((await stored()).map(([, name]) => name)).toEqual(['theirs', 'mine']);
  });

  it('undone, leaves what was edited since as it is, with who did it', async () => {
    const [first, second] = await list();
    const job = await plan(columnsOf('CODE', 'NAME'), [
      { ...first, cells: ['B-1', 'pasted'] },
      { ...second, cells: ['B-2', 'pasted'] },
      { cells: ['B-3', 'created'] },
      { cells: ['B-4', 'created'] },
    ]);
    await run(job, 'apply');
    const created = (await list()).at(-1);
    await clerk.put(`${datasetsPath(table)}/${first?.jrid}`, { dataset: { NAME: 'edited' } });
    await clerk.put(`${datasetsPath(table)}/${created?.jrid}`, { dataset: { NAME: 'edited' } });
    const undone = await run(job, 'undo');
    expect(undone).toMatchObject({ state: 'undone', counts: { takenBack: 2, left: 2, done: 0 } });
    expect((await stored()).map(([code, name]) => [code, name])).toEqual([
      ['B-1', 'edited'],
      ['A-2', 'two'],
      ['A-3', 'three'],
      ['B-4', 'edited'],
    ]);
    const { body } = await clerk.get(`${at(job)}/datasets?outcome=left`);
    const left = bulkEditDatasetsAnswer.parse(body).datasets;
    expect(left.map(({ jrid }) => jrid)).toEqual([first?.jrid, created?.jrid]);
    for (const { message } of left) expect(message).toMatch(/clerk.*\d/s);
  });

  it('is planned once for one idempotency key', async () => {
    const body = { columns: columnsOf('NAME'), datasets: [{ cells: ['once'] }] };
    const headers = { 'idempotency-key': 'one-paste' };
    const answers = [
      await clerk.post(path('pastes'), body, { headers }),
      await clerk.post(path('pastes'), body, { headers }),
    ];
    const [first, second] = answers.map((answer) => bulkEditOf(answer).bulkEditId);
    expect(second).toBe(first);
  });

  it('is refused where its columns or rows are not the table’s', async () => {
    const refused = async (columns: readonly object[], datasets: readonly object[]) => {
      const { status, body } = await clerk.post(path('pastes'), { columns, datasets });
      return { status, body };
    };
    const rows = [{ cells: ['a'] }];
    expect(await refused(columnsOf('OTHER'), rows)).toMatchObject({
      status: 422,
      body: { errors: { 'columns.0': ['There is no column OTHER.'] } },
    });
    expect(await refused(columnsOf('NAME', 'name'), rows)).toMatchObject({
      status: 422,
      body: { errors: { 'columns.1': ['The column is named more than once.'] } },
    });
    expect(await refused(columnsOf('NAME'), [...rows, { cells: ['a', 'b'] }])).toMatchObject({
      status: 422,
      body: { errors: { 'datasets.1.cells': ['The row has more cells than there are columns.'] } },
    });
    expect(await refused(columnsOf('NAME'), [{ cells: [{}] }])).toMatchObject({ status: 422 });
    expect(await refused(columnsOf('NAME'), [])).toMatchObject({ status: 422 });
  });

  it('is refused to whoever may only read the table', async () => {
    await buildUser(t.database, {
      username: `reader-${table.id}`,
      rights: [rightOn(table, 'read')],
    });
    const reader = await t.signedIn(`reader-${table.id}`);
    const body = { columns: columnsOf('NAME'), datasets: [{ cells: ['a'] }] };
    expect(await reader.post(path('pastes'), body)).toMatchObject({ status: 403 });
  });
});

/** Twice as many are more than the largest part of a job and the parts before it, which grow up to it. */
const MANY = 1_500;

describeOnOneDatabase('A paste that is under way when the service stops', (open) => {
  it(
    'continues at the next start, with nothing written twice or left out',
    { tags: ['long'] },
    async () => {
      const first = await openApp(open);
      const { database } = first;
      const table = await buildTable(database, [{ name: 'NAME' }]);
      await buildRecords(
        database,
        table,
        Array.from({ length: MANY }, (_, i) => [`name ${i}`]),
      );
      await buildUser(database, { rights: [rightOn(table, 'write')] });
      const clerk = await first.signedIn('clerk');
      const datasets = Array.from({ length: 2 * MANY }, (_, i) => ({
        cells: [`pasted ${i}`],
        ...(i < MANY ? { jrid: String(i + 1) } : {}),
      }));
      const body = { columns: columnsOf('NAME'), datasets };
      const { bulkEditId, counts } = bulkEditOf(await clerk.post(pathOf(table, 'pastes'), body));
      expect(counts).toMatchObject({ changed: MANY, created: MANY });
      const at = pathOf(table, `bulkedits/${bulkEditId}`);
      await clerk.post(`${at}/apply`, {});
      const isBegun = ({ done }: { readonly done: number }) => done > 0;
      await doWhileUnderWay(database, clerk, at, isBegun, () => first.app.close(), {
        isStop: true,
      });
      const { counts: stopped } = await database.read((db) =>
        db.k.selectFrom('bulk_edits').select('counts').executeTakeFirstOrThrow(),
      );
      expect(JSON.parse(stopped).pending).toBeGreaterThan(0);

      const second = await openApp(() => Promise.resolve(database));
      const again = await second.signedIn('clerk');
      expect(await ended(again, at)).toMatchObject({
        state: 'done',
        counts: { done: 2 * MANY, pending: 0 },
      });
      const { body: last } = await again.get(
        `${datasetsPath(table)}?limit=1&offset=${2 * MANY - 1}&sort=jrid`,
      );
      expect(datasetListAnswer.parse(last)).toMatchObject({
        datasets: [{ NAME: `pasted ${2 * MANY - 1}` }],
        meta: { pagination: { total: 2 * MANY } },
      });
      const { body: history } = await again.get(`${datasetsPath(table)}/1/history`);
      expect(historyAnswer.parse(history).history[0]?.changes).toMatchObject([
        { before: 'name 0', after: 'pasted 0' },
      ]);
    },
  );
});
