/** @module-tag slow */
import { beforeAll, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { datasetListAnswer } from '#shared/contract/answers.ts';
import {
  bulkEditDatasetsAnswer,
  type AnsweredBulkEdit,
} from '#shared/contract/bulk-edit-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildTable, datasetsPath } from '#tests/support/builders.ts';
import { bulkEditOf, ended } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

/** More rows than are planned together. */
const MANY = 70;

describeOnOneDatabase('imported rows that look up each other', (open) => {
  let t: TestApp;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { role: 'administrator' });
    clerk = await t.signedIn('clerk');
  });
  /** A table whose parents have to be numbers of the table itself. */
  const buildTree = (name: string) =>
    buildTable(
      t.database,
      [{ name: 'NO' }, { name: 'PARENT' }, { name: 'CODE', unique: true }],
      name,
      {
        checks: [
          { name: 'TREE', rule: `PARENT in ${name}.NO`, severity: 'block' },
          { name: 'LONG', rule: 'length(CODE) < 9', severity: 'block' },
        ],
      },
    );
  const path = ({ guid }: Table, rest: string) => `application/dataapp/tables/${guid}/${rest}`;
  const plan = async (table: Table, lines: readonly string[], fields: object = {}) => {
    const file = { name: 'rows.csv', bytes: lines.join('\n') };
    const form = formOf([['files[0]', file], ...Object.entries(fields)]);
    const options = { headers: form.headers };
    return bulkEditOf(await clerk.post(path(table, 'imports'), form.body, options));
  };
  const outcomes = async (table: Table, { bulkEditId }: AnsweredBulkEdit) => {
    const at = path(table, `bulkedits/${bulkEditId}/datasets?limit=1000`);
    const { datasets } = bulkEditDatasetsAnswer.parse((await clerk.get(at)).body);
    return datasets.map(({ outcome, message }) => [outcome, message]);
  };
  const apply = async (table: Table, { bulkEditId }: AnsweredBulkEdit) => {
    const at = path(table, `bulkedits/${bulkEditId}`);
    const begun = await clerk.post(`${at}/apply`, { onChanged: 'leaveOut' });
    expect(begun.status).toBe(200);
    return ended(clerk, at);
  };
  const stored = async (table: Table) => {
    const { body } = await clerk.get(`${datasetsPath(table)}?limit=1000&sort=jrid`);
    return datasetListAnswer.parse(body).datasets.map(({ NO }) => NO);
  };
  const notMet = expect.stringContaining('TREE');

  it('are refused with a row whose value somebody else has taken since the plan', async () => {
    const table = await buildTree('TAKEN_SINCE');
    const job = await plan(table, ['NO,PARENT,CODE', 'C,B,3', 'B,A,2', 'A,,1', 'D,,4']);
    expect(job.counts).toMatchObject({ created: 4, invalid: 0 });
    await clerk.post(datasetsPath(table), { dataset: { NO: 'X', CODE: '1' } });
    expect(await apply(table, job)).toMatchObject({ counts: { done: 1, conflicts: 3 } });
    expect(await stored(table)).toEqual(['X', 'D']);
    expect((await outcomes(table, job)).slice(0, 2)).toEqual([
      ['conflict', notMet],
      ['conflict', notMet],
    ]);
  });

  it('are refused by the plan with a row that a check or a taken value refuses', async () => {
    const table = await buildTree('REFUSED');
    const long = 'longer than that';
    const rows = ['C,B,3', 'B,A,2', `A,,${long}`, 'F,E,6', 'P,,7', 'E,,7', 'H,,2'];
    const job = await plan(table, ['NO,PARENT,CODE', ...rows]);
    expect(await outcomes(table, job)).toEqual([
      ['invalid', notMet],
      ['invalid', notMet],
      ['invalid', expect.stringContaining('LONG')],
      ['invalid', notMet],
      ['new', null],
      ['invalid', expect.stringContaining('Row 6 of the file')],
      ['new', null],
    ]);
  });

  it('find values of rows that are planned long before them', async () => {
    const table = await buildTree('LONG_BEFORE');
    const rows = Array.from({ length: MANY }, (_, i) => `N${i},${i === 0 ? '' : 'N0'},${i}`);
    const job = await plan(table, ['NO,PARENT,CODE', ...rows]);
    expect(job.counts).toMatchObject({ created: MANY, invalid: 0 });
    expect(await apply(table, job)).toMatchObject({ counts: { done: MANY, conflicts: 0 } });
  });

  it('change records, and find values of new ones, which are applied later', async () => {
    const table = await buildTree('CHANGED_FIRST');
    const numbers = Array.from({ length: MANY }, (_, i) => i);
    const rowsWith = (parent: string) => numbers.map((i) => `N${i},${parent},${i}`);
    await apply(table, await plan(table, ['NO,PARENT,CODE', ...rowsWith('')]));
    const lines = ['NO,PARENT,CODE', 'X,,new', ...rowsWith('X')];
    const job = await plan(table, lines, { mode: 'both', key: 'CODE' });
    expect(job.counts).toMatchObject({ created: 1, changed: MANY, invalid: 0 });
    const applied = await apply(table, job);
    expect(applied).toMatchObject({ counts: { done: MANY + 1, conflicts: 0 } });
  });

  it('are not found any more once they are refused', async () => {
    const table = await buildTree('REFUSED_BEFORE');
    const numbers = Array.from({ length: MANY }, (_, i) => i);
    const job = await plan(table, ['NO,PARENT,CODE', 'X,,new', ...numbers.map((i) => `N,X,${i}`)]);
    await clerk.post(datasetsPath(table), { dataset: { NO: 'Y', CODE: 'new' } });
    expect(await apply(table, job)).toMatchObject({ counts: { done: 0, conflicts: MANY + 1 } });
  });
});
