import { expect, it } from 'vitest';
import { changesOfRecord } from '#web/features/data-grid/record/record-changes.ts';
import { buildColumn } from './columns.ts';

it('names an exception from a check, and a removed column as the history does', () => {
  const changes = ['checks.SUM', 'GONE'].map((name) => ({ name, before: null, after: 'a reason' }));
  const labels = changesOfRecord([], {
    historyId: '1',
    at: '2026-01-02T03:04:05.000Z',
    user: 'ben',
    call: 'PUT any',
    changes,
  }).map(({ label }) => label);
  expect(labels).toEqual(['Exception from SUM', 'GONE']);
});

it('of a column that the user may only read cannot be restored', () => {
  const changes = [{ name: 'NET', before: 1, after: 2 }];
  const entry = {
    historyId: '1',
    at: '2026-01-02T03:04:05.000Z',
    user: 'ben',
    call: 'PUT',
    changes,
  };
  const pathsIn = (columns: Parameters<typeof changesOfRecord>[0]) =>
    changesOfRecord(columns, entry).map(({ path }) => path);
  expect(pathsIn([buildColumn('NET')])).toEqual(['NET']);
  expect(pathsIn([{ ...buildColumn('NET'), readOnly: true }])).toEqual([null]);
});
