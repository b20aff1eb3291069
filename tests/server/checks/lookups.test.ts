/** @module-tag slow */
import { beforeEach, expect, it } from 'vitest';
import { revisionIdsAnswer } from '#shared/contract/answers.ts';
import { convertLookupValue } from '#shared/checks/lookup-value.ts';
import type { ValueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';

const COLUMNS = [
  { name: 'NO', type: 'integer' },
  { name: 'LIMIT', type: 'decimal', scale: 4 },
  { name: 'CODE', type: 'text' },
] as const;
const RECORDS = [
  [12, 1.5, '12'],
  [0, 100, '1.5'],
  [-3, null, '012'],
  [null, -0.25, 'x'],
];

/** Whether a form says that no record has the value of a field. */
function isMissing(value: Scalar, type: ValueType, column: string): boolean {
  const place = COLUMNS.findIndex(({ name }) => name === column);
  const looked = convertLookupValue(value, type, COLUMNS[place]?.type ?? 'text');
  if (value === null || value === '') return false;
  return looked === null || !RECORDS.some((record) => record[place] === looked);
}

describeOnBothDatabases('look-ups between a text and a number', (open) => {
  let t: TestApp;
  let admin: TestClient;
  beforeEach(async () => {
    t = await openApp(open);
    const table = await buildTable(t.database, COLUMNS, 'SUPPLIERS');
    await buildRecords(t.database, table, RECORDS);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
  });

  const found = async (type: ValueType, column: string, values: readonly Scalar[]) => {
    const field = { name: 'F', type, optionsFrom: { table: 'SUPPLIERS', column } };
    const archive = await buildArchive(t.database, [field]);
    await buildRecords(
      t.database,
      archive,
      values.map((value) => [value]),
    );
    const { body } = await admin.get(`${archivePath(archive)}/index/ids?where[check][eq]=_lookup`);
    const { revisionIds } = revisionIdsAnswer.parse(body);
    const missing = revisionIds.map((id) => values[Number(id) - 1]);
    expect(missing).toEqual(values.filter((value) => isMissing(value, type, column)));
    return missing;
  };

  it('find numbers in a text as the table writes them', async () => {
    const wrong = ['012', '12.0', '+12', ' 12', '13', 'x', '1e1', '-0', '9'.repeat(40)];
    expect(await found('text', 'NO', ['12', '0', '-3', '', null, ...wrong])).toEqual(wrong);
    const wrongLimits = ['1,5', '1.50', '.5', '100.0', '-.25', '1.4999999999999999'];
    const limits = ['1.5', '100', '-0.25', ...wrongLimits];
    expect(await found('text', 'LIMIT', limits)).toEqual(wrongLimits);
  });

  it('find a number among texts', async () => {
    expect(await found('integer', 'CODE', [12, 1, null])).toEqual([1]);
    expect(await found('decimal', 'CODE', [12, 1.5, 1.25])).toEqual([1.25]);
  });
});
