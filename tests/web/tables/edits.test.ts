import { describe, expect, onTestFinished, test } from 'vitest';
import { RE2_ENGINE } from '#shared/values/pattern-engine.ts';
import { matchPatternsBy } from '#shared/values/pattern.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { ApiFailure } from '#web/api/failure.ts';
import {
  cellsOf,
  countEdits,
  type Edits,
  emptyRowKey,
  NO_EDITS,
} from '#web/features/data-grid/edit-store/edits.ts';
import { typeText } from './type-text.ts';
import {
  checkPatterns,
  resolveConflict,
  nextBatch,
  validateNewRow,
  settleCreated,
  settleNotCreated,
  settleRejected,
  settleSaved,
} from '#web/features/data-grid/edit-store/settle-edits.ts';
import { buildColumn } from './columns.ts';

const NAME = buildColumn('name', { required: true });
const YEAR = buildColumn('year', { type: 'integer' });
const GRADE = buildColumn('grade', { default: 'A', required: true });
const COLUMNS = [NAME, YEAR, GRADE];
const server = { jrid: '7', name: 'Ada', year: 1815, grade: 'A' };

const typeInto = (edits: Edits, column: typeof NAME, typed: string | null, isSending = false) => {
  const stored: Scalar = column === NAME ? server.name : server.year;
  return typeText(edits, '7', column, typed, { initialValue: stored, stored, isSending });
};
const statusOf = (edits: Edits, column: string, key = '7') =>
  cellsOf(edits, key).get(column)?.status;
const refusal = (errors: Record<string, string[]>): ApiFailure => ({
  kind: 'api',
  status: 422,
  code: 'validation_failed',
  errors,
  requestId: 'r',
  retryAfter: null,
});

describe('edits of a record', () => {
  test('what was typed is sent, and settled by the answer', () => {
    const typed = typeInto(NO_EDITS, NAME, 'Grace');
    const { edits, batch } = nextBatch(typed, '7', server);
    expect(batch?.values).toEqual({ name: 'Grace' });
    if (!batch) return;
    expect(settleSaved(edits, '7', batch, { ...server, name: 'Grace' }).records.size).toBe(0);
  });

  test('a cell with an edit that is not sent shows the text, not the value of the server, also where that is empty', () => {
    const empty = { initialValue: null, stored: null };
    const first = typeText(NO_EDITS, '7', YEAR, '1815', empty);
    const second = typeText(first, '7', YEAR, 'c. 1815', { ...empty, initialValue: 1815 });
    expect(cellsOf(second, '7').get('year')?.base).toBeNull();
  });

  test('what the server has already is no edit', () => {
    expect(typeInto(typeInto(NO_EDITS, NAME, 'Grace'), NAME, 'Ada').records.size).toBe(0);
  });

  test('what cannot be read stays as typed and is not sent', () => {
    const typed = typeInto(NO_EDITS, YEAR, 'c. 1815');
    expect(cellsOf(typed, '7').get('year')).toMatchObject({
      text: 'c. 1815',
      status: { is: 'unread' },
    });
    expect(nextBatch(typed, '7', server).batch).toBeNull();
    expect(countEdits(typed)).toEqual({ waiting: 0, problems: 1 });
  });

  test('a newer edit of a cell outlives the answer to the one before, and builds on it', () => {
    const first = typeInto(NO_EDITS, NAME, 'Grace');
    const { edits, batch } = nextBatch(first, '7', server);
    if (!batch) throw new Error('nothing to send');
    const again = typeInto(edits, NAME, 'Hedy', true);
    const settled = settleSaved(again, '7', batch, { ...server, name: 'Grace' });
    expect(nextBatch(settled, '7', { ...server, name: 'Grace' }).batch?.values).toEqual({
      name: 'Hedy',
    });
  });

  test('going back to the old value while the new one is under way is an edit too', () => {
    const { edits, batch } = nextBatch(typeInto(NO_EDITS, NAME, 'Grace'), '7', server);
    if (!batch) throw new Error('nothing to send');
    const back = typeInto(edits, NAME, 'Ada', true);
    const answered = { ...server, name: 'Grace' };
    const settled = settleSaved(back, '7', batch, answered);
    expect(nextBatch(settled, '7', answered).batch?.values).toEqual({ name: 'Ada' });
  });

  test('a refusal stays in the cells that it names; the others wait', () => {
    const typed = typeInto(typeInto(NO_EDITS, NAME, 'Grace'), YEAR, '1906');
    const { edits, batch } = nextBatch(typed, '7', server);
    if (!batch) throw new Error('nothing to send');
    const refused = settleRejected(edits, '7', batch, refusal({ 'dataset.year': ['Too early.'] }));
    expect(statusOf(refused, 'year')).toMatchObject({ is: 'refused', message: 'Too early.' });
    expect(nextBatch(refused, '7', server).batch?.values).toEqual({ name: 'Grace' });
  });

  test('a refusal that names no cell belongs to all that were sent', () => {
    const { edits, batch } = nextBatch(typeInto(NO_EDITS, NAME, 'Grace'), '7', server);
    if (!batch) throw new Error('nothing to send');
    const refused = settleRejected(edits, '7', batch, refusal({ '-': ['Not now.'] }));
    expect(statusOf(refused, 'name')).toMatchObject({ is: 'refused', message: 'Not now.' });
  });

  test('another value of somebody else in the same cell is a conflict, in another cell it is none', () => {
    const typed = typeInto(NO_EDITS, NAME, 'Grace');
    expect(nextBatch(typed, '7', { ...server, year: 1 }).batch?.values).toEqual({ name: 'Grace' });

    const { edits, batch } = nextBatch(typed, '7', { ...server, name: 'Theirs' });
    expect(batch).toBeNull();
    expect(statusOf(edits, 'name')).toEqual({ is: 'conflict', value: 'Grace', theirs: 'Theirs' });
    const theirs = resolveConflict(edits, '7', NAME, 'theirs');
    expect(theirs.records.size).toBe(0);
    const mine = resolveConflict(edits, '7', NAME, 'mine');
    expect(nextBatch(mine, '7', { ...server, name: 'Theirs' }).batch?.values).toEqual({
      name: 'Grace',
    });
    const before = resolveConflict(edits, '7', NAME, 'base');
    expect(nextBatch(before, '7', { ...server, name: 'Theirs' }).batch?.values).toEqual({
      name: 'Ada',
    });
  });

  test('a value that somebody else has set meanwhile to the same is settled', () => {
    const typed = typeInto(NO_EDITS, NAME, 'Grace');
    const { edits, batch } = nextBatch(typed, '7', { ...server, name: 'Grace' });
    expect(batch).toBeNull();
    expect(edits.records.size).toBe(0);
  });

  test('what changed under an open editor is a conflict', () => {
    const typed = typeText(NO_EDITS, '7', NAME, 'Mine', { initialValue: 'Ada', stored: 'Theirs' });
    expect(statusOf(nextBatch(typed, '7', { ...server, name: 'Theirs' }).edits, 'name')).toEqual({
      is: 'conflict',
      value: 'Mine',
      theirs: 'Theirs',
    });
  });
});

describe('new rows', () => {
  const behind = { initialValue: null, stored: null };
  const started = (column: typeof NAME, typed: string) => {
    const key = emptyRowKey(NO_EDITS);
    return { key, edits: typeText(NO_EDITS, key, column, typed, behind) };
  };
  const rowOf = (edits: Edits) => {
    const [row] = edits.newRows;
    if (!row) throw new Error('no new row');
    return row;
  };

  test('typing makes a row, and another empty one', () => {
    const { key, edits } = started(NAME, 'Grace');
    expect(edits.newRows).toHaveLength(1);
    expect(emptyRowKey(edits)).not.toBe(key);
  });

  test('required columns without a default are marked', () => {
    const { key, edits } = started(YEAR, '1906');
    const read = validateNewRow(edits, rowOf(edits), COLUMNS);
    expect(read.batch).toBeNull();
    expect(statusOf(read.edits, 'name', key)).toEqual({
      is: 'unread',
      message: 'A value is required.',
    });
    expect(statusOf(read.edits, 'grade', key)).toBeUndefined();
  });

  test('what is typed while the row is being created becomes an edit of the record', () => {
    const { key, edits } = started(NAME, 'Grace');
    const { batch } = validateNewRow(edits, rowOf(edits), COLUMNS);
    if (!batch) throw new Error('nothing to send');
    expect(batch.values).toEqual({ name: 'Grace' });
    const meanwhile = typeText(edits, key, YEAR, '1906', behind);
    const dataset = { jrid: '9', name: 'Grace', year: null, grade: 'A' };
    const created = settleCreated(meanwhile, key, batch, { dataset, etag: '"1"' });
    expect(nextBatch(created, '9', dataset).batch?.values).toEqual({ year: 1906 });
    expect(cellsOf(created, key)).toBe(cellsOf(created, '9'));
  });

  test('a refused row keeps what was typed, with the messages in their cells', () => {
    const { key, edits } = started(NAME, 'Grace');
    const taken = refusal({ 'datasets.0.name': ['Taken.'] });
    const refused = settleNotCreated(edits, [key], taken);
    expect(statusOf(refused, 'name', key)).toMatchObject({ is: 'refused', message: 'Taken.' });
    expect(rowOf(refused)).toMatchObject({ is: 'refused', message: null });
    const other = settleNotCreated(edits, [key], refusal({ '-': ['Not now.'] }));
    expect(rowOf(other).message).toBe('Not now.');
    expect(countEdits(other).problems).toBe(1);
  });
});

test('what was typed before patterns could be matched is held to them once they can; what is being sent is not', () => {
  const CODE = buildColumn('code', { pattern: '[A-Z]{2}' });
  onTestFinished(() => matchPatternsBy(RE2_ENGINE));
  matchPatternsBy({ compile: () => ({ matches: () => true }), exampleOf: () => null });
  const empty = { initialValue: null, stored: null };
  const row = emptyRowKey(NO_EDITS);
  const begun = typeText(NO_EDITS, row, CODE, 'Zz', empty);
  const typed = typeText(typeText(begun, '7', CODE, 'ab', empty), '8', CODE, 'cd', empty);
  const all = typeText(typed, '9', CODE, 'OK', empty);
  matchPatternsBy(RE2_ENGINE);
  const now = checkPatterns(all, [NAME, CODE], (key) => key === '8');
  const statuses = [row, '7', '8', '9'].map((key) => statusOf(now, 'code', key)?.is);
  expect(statuses).toEqual(['unread', 'unread', 'waiting', 'waiting']);
  expect(cellsOf(now, '7').get('code')?.text).toBe('ab');
});
