import { describe, expect, test } from 'vitest';
import { type Cells, type CellEdit } from '#web/features/data-grid/edit-store/edits.ts';
import { willMove } from '#web/features/data-grid/rows/will-move.ts';
import type { TableRow } from '#web/features/data-grid/rows/use-rows.ts';
import { buildColumn } from './columns.ts';

const COLUMNS = [buildColumn('name'), buildColumn('pieces', { type: 'integer' })];
const LISTED = { dataset: { jrid: '1', name: 'Bolt', pieces: 5 }, etag: '"1"' };
const SAVED = { dataset: { jrid: '1', name: 'Bolt', pieces: 7 }, etag: '"2"' };

const row = (stored = LISTED): TableRow => ({
  key: '1',
  kind: 'record',
  stored,
  orderedBy: LISTED,
});
const NOTHING: Cells = new Map();
const edit = (status: CellEdit['status']): Cells =>
  new Map([['pieces', { sequence: 1, text: '7', base: 5, status }]]);
const WAITING = edit({ is: 'waiting', value: 7 });
const UNREAD = edit({ is: 'unread', message: 'no' });

describe('a list by who changed a record, and when', () => {
  const by = { sort: ['-changedAt'] };
  test('any change of a record moves it, on its way and saved', () => {
    expect(willMove(row(), NOTHING, by, COLUMNS)).toBe(false);
    expect(willMove(row(), WAITING, by, COLUMNS)).toBe(true);
    expect(willMove(row(SAVED), NOTHING, by, COLUMNS)).toBe(true);
    const byName = { where: [{ field: 'CHANGEDBY', op: 'eq', value: 'ben' } as const] };
    expect(willMove(row(SAVED), NOTHING, byName, COLUMNS)).toBe(true);
  });

  test('what cannot be read, and an answer that says nothing new, move nothing', () => {
    expect(willMove(row(), UNREAD, by, COLUMNS)).toBe(false);
    const again = { ...LISTED, dataset: { ...LISTED.dataset } };
    expect(willMove(row(again), NOTHING, by, COLUMNS)).toBe(false);
  });

  test('a column of that name is what counts, where the table has one', () => {
    const columns = [...COLUMNS, buildColumn('ChangedAt', { type: 'date' })];
    expect(willMove(row(SAVED), NOTHING, by, columns)).toBe(false);
  });
});

test('a list by columns: those alone count, in any spelling', () => {
  expect(willMove(row(), WAITING, { sort: ['PIECES'] }, COLUMNS)).toBe(true);
  expect(willMove(row(SAVED), NOTHING, { sort: ['name'] }, COLUMNS)).toBe(false);
  expect(willMove(row(SAVED), NOTHING, { sort: ['name', '-pieces'] }, COLUMNS)).toBe(true);
  expect(willMove(row(SAVED), NOTHING, { q: 'bolt' }, COLUMNS)).toBe(false);
});
