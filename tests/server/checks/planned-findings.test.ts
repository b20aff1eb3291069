/** @module-tag slow */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { datasetListAnswer } from '#shared/contract/answers.ts';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
} from '#tests/support/builders.ts';
import { bulkEditOf, ended, revisionsOf } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

const FIELDS = [
  { name: 'NO', label: 'Number', required: true },
  { name: 'NET', type: 'decimal' },
  { name: 'TOTAL', type: 'decimal' },
  { name: 'DUE', type: 'date' },
  { name: 'SUPPLIER' },
];
const SUM = { name: 'SUM', label: 'The total is wrong', rule: 'NET * 2 = TOTAL' };
const CHECKS = [
  SUM,
  { name: 'DUE', rule: 'DUE >= 2026-01-01', severity: 'block', label: 'Due too early' },
  { name: 'KNOWN', label: 'Unknown supplier', rule: 'SUPPLIER in KNOWN_SUPPLIERS.NAME' },
  { name: 'TWICE', label: 'Twice', duplicates: [['NO']] },
];
const found = (check: string, label: string, brings: number, removes: number) => ({
  check,
  label,
  severity: 'warn',
  brings,
  removes,
});

describeOnOneDatabase('findings that a plan would bring', (open) => {
  let t: TestApp;
  let clerk: TestClient;
  let archive: Archive;
  let table: Table;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { role: 'administrator' });
    clerk = await t.signedIn('clerk');
    const suppliers = await buildTable(t.database, [{ name: 'NAME' }], 'KNOWN_SUPPLIERS');
    await buildRecords(t.database, suppliers, [['Acme']]);
  });
  const ROWS = [
    ['A', 1, 2, '2026-05-01', 'Acme'],
    ['B', 1, 3, '2025-05-01', 'Nobody'],
    ['C', 2, 5, null, 'Acme'],
  ];
  beforeEach(async () => {
    archive = await buildArchive(t.database, FIELDS, [], { checks: CHECKS });
    table = await buildTable(t.database, FIELDS, undefined, { checks: CHECKS });
    await buildRecords(t.database, archive, ROWS);
    await buildRecords(t.database, table, ROWS);
  });
  const path = (rest: string) => `${archivePath(archive)}/${rest}`;
  const apply = async (at: string) => {
    expect((await clerk.post(`${at}/apply`, {})).status).toBe(200);
    return ended(clerk, at);
  };
  const plan = async (revisionIds: readonly number[], field: string, value: unknown) =>
    bulkEditOf(
      await clerk.post(path('bulkedits'), {
        selection: { revisionIds },
        edits: [{ field, do: 'set', value }],
      }),
    );
  const atOf = ({ bulkEditId }: AnsweredBulkEdit) => path(`bulkedits/${bulkEditId}`);
  const findingsOf = async (id: number) => (await clerk.get(path(`documents/${id}`))).body;

  it('are counted by check for a bulk edit, without rows that a check blocks', async () => {
    const job = await plan([1, 2, 3], 'TOTAL', 2);
    const findings = [found('SUM', SUM.label, 0, 1)];
    expect(job).toMatchObject({ counts: { changed: 2, unchanged: 1, invalid: 0 }, findings });
    // The answer about the plan says the same, also once it is applied.
    expect(await apply(atOf(job))).toMatchObject({ counts: { done: 2 }, findings });
    expect(await findingsOf(3)).toMatchObject({ meta: { findings: [{ check: 'SUM' }] } });
    expect((await plan([1, 2, 3], 'SUPPLIER', 'Nobody')).findings).toEqual([
      found('KNOWN', 'Unknown supplier', 2, 0),
    ]);
    const blocked = await plan([1, 2, 3], 'DUE', '2025-12-31');
    expect(blocked).toMatchObject({ counts: { changed: 0, invalid: 3 }, findings: [] });
    expect(await revisionsOf(clerk, atOf(blocked), 'invalid')).toMatchObject(
      Array.from({ length: 3 }, () => ({ message: expect.stringContaining('Due too early') })),
    );
  });

  it('are not those of records that are right as they are, until their fields change', async () => {
    const except = await clerk.put(path('documents/2/exceptions/SUM'), { reason: 'as printed' });
    expect(except.status).toBe(200);
    // The exception ends with the change: what was no finding is one.
    expect((await plan([2], 'TOTAL', 4)).findings).toEqual([found('SUM', SUM.label, 1, 0)]);
    expect((await plan([2], 'TOTAL', 2)).findings).toEqual([]);
    const job = await plan([2], 'NO', 'B2');
    expect(job.findings).toEqual([]);
    await apply(atOf(job));
    expect(await findingsOf(2)).toMatchObject({ meta: { exceptions: [{ check: 'SUM' }] } });
    await apply(atOf(await plan([2], 'TOTAL', 4)));
    expect(await findingsOf(2)).not.toHaveProperty('meta.exceptions');
  });

  it('are counted for imports that change and that create documents', async () => {
    const send = async (lines: readonly string[], fields: Readonly<Record<string, string>>) => {
      const file = { name: 'rows.csv', bytes: lines.join('\r\n') };
      const form = formOf([...Object.entries(fields), ['files[0]', file]]);
      return bulkEditOf(await clerk.post(path('imports'), form.body, { headers: form.headers }));
    };
    const changes = await send(
      ['revisionId;SUPPLIER;DUE', '1;Nobody;2026-05-01', '2;Acme;2025-05-01', '3;Acme;2025-01-01'],
      { mode: 'change' },
    );
    expect(changes).toMatchObject({
      counts: { changed: 2, invalid: 1 },
      findings: [found('KNOWN', 'Unknown supplier', 1, 1)],
    });
    const created = await send(
      ['Number;NET;TOTAL;DUE', 'D;1;2;', 'E;1;3;2026-01-01', 'F;1;3;2025-01-01'],
      { mode: 'create' },
    );
    expect(created).toMatchObject({
      counts: { created: 2, invalid: 1 },
      findings: [found('SUM', SUM.label, 1, 0)],
    });
    expect(await revisionsOf(clerk, atOf(created), 'invalid')).toMatchObject([
      { line: 4, message: expect.stringContaining('Due too early') },
    ]);
    expect(await apply(atOf(created))).toMatchObject({ counts: { done: 2 } });
  });

  it('are counted for pastes into a table, whose rows a check may block', async () => {
    const { datasets } = datasetListAnswer.parse(
      (await clerk.get(`${datasetsPath(table)}?sort=jrid`)).body,
    );
    const [first, second, third] = datasets.map(({ jrid }) => jrid);
    const tablePath = `application/dataapp/tables/${table.guid}`;
    const job = bulkEditOf(
      await clerk.post(`${tablePath}/pastes`, {
        columns: ['TOTAL', 'DUE'].map((field) => ({ field })),
        datasets: [
          { jrid: first, cells: [9] },
          { jrid: second, cells: [2, '2025-05-01'] },
          { jrid: third, cells: [4, '2025-01-01'] },
        ],
      }),
    );
    expect(job).toMatchObject({
      counts: { changed: 2, invalid: 1 },
      findings: [found('SUM', SUM.label, 1, 1)],
    });
    const at = `${tablePath}/bulkedits/${job.bulkEditId}`;
    expect(await apply(at)).toMatchObject({ counts: { done: 2 }, findings: job.findings });
  });
});
