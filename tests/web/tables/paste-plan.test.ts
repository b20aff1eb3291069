import { describe, expect, test } from 'vitest';
import type { Scalar } from '#shared/values/value-type.ts';
import { cellsOf, NO_EDITS, writeEntry } from '#web/features/data-grid/edit-store/edits.ts';
import type { ClipCell } from '#web/features/data-grid/paste/clip.ts';
import { readClipboard } from '#web/features/data-grid/paste/clipboard.ts';
import { planPaste } from '#web/features/data-grid/paste/make-plan.ts';
import { countsOf, type Plan, type Target } from '#web/features/data-grid/paste/paste-plan.ts';
import { clipEntryOf, writesOf } from '#web/features/data-grid/paste/small-paste.ts';
import { writeOwnCells } from '#web/features/data-grid/ranges/own-cells.ts';
import { buildColumn } from './columns.ts';

const name = buildColumn('name', { required: true });
const amount = buildColumn('amount', { type: 'decimal', scale: 2 });
const day = buildColumn('day', { type: 'date' });
const columns = [name, amount, day];

const record = (jrid: string, values: Readonly<Record<string, Scalar>>): Target => ({
  is: 'record',
  key: jrid,
  stored: { dataset: { jrid, ...values }, etag: '"1"' },
});
const newRow: Target = { is: 'new' };

function plan(
  text: string,
  targets: readonly Target[],
  answers: Plan['answers'] = {},
  into = columns,
) {
  return planPaste({
    columns: into,
    allColumns: into,
    top: 0,
    targets,
    cells: readClipboard({ own: '', html: '', text }) ?? [],
    answers,
    currentValue: (target, column) =>
      target.is === 'record' ? (target.stored.dataset[column.name] ?? null) : null,
  });
}

const cellsIn = ({ rows }: Plan) => rows.flatMap(({ cells }) => cells);
const kindsIn = (planned: Plan) => cellsIn(planned).map(({ kind }) => kind);
const valuesIn = (planned: Plan) =>
  cellsIn(planned).map((cell) => (cell.kind === 'value' ? cell.value : null));

describe('a planned paste', () => {
  test('counts what it changes, leaves, creates and cannot read', () => {
    const planned = plan('Bolt\t1.234,50\t2024-04-03\nNut\tmany\t\nRing\t3\t31.12.2024', [
      record('1', { name: 'Bolt', amount: 7, day: null }),
      record('2', { name: 'Nut', amount: 1, day: '2024-01-01' }),
      newRow,
    ]);
    expect(countsOf(planned)).toEqual({
      changed: 3,
      unchanged: 2,
      unreadable: 1,
      ambiguous: 0,
      newRows: 1,
      incomplete: 0,
      deleted: 0,
    });
    expect(planned.rows.map(({ cells }) => cells.map(({ kind }) => kind))).toEqual([
      ['unchanged', 'value', 'value'],
      ['unchanged', 'unreadable', 'value'],
      ['value', 'value', 'value'],
    ]);
    expect(valuesIn(planned)).toEqual(
      [
        [null, 1234.5, '2024-04-03'],
        [null, null, null],
        ['Ring', 3, '2024-12-31'],
      ].flat(),
    );
  });
  test('asks once for a column that can be read in two ways, and then knows', () => {
    const targets = [record('1', {}), record('2', {})];
    const text = 'a\t1\t03/04/2024\nb\t2\t05/06/2024';
    const open = plan(text, targets);
    expect(open.questions.map(({ column, about }) => [column.name, about])).toEqual([
      ['day', 'order'],
    ]);
    expect(countsOf(open).ambiguous).toBe(2);
    const answered = plan(text, targets, { day: 'dmy' });
    expect(countsOf(answered).ambiguous).toBe(0);
    expect(valuesIn(answered)[2]).toBe('2024-04-03');
    expect(valuesIn(plan(text, targets, { day: 'mdy' }))[5]).toBe('2024-05-06');
  });
  test('asks nothing where another cell of the column explains it', () => {
    const explained = plan('a\t1\t03/04/2024\nb\t2\t25/12/2024', [newRow, newRow]);
    expect(explained.questions).toEqual([]);
    expect(valuesIn(explained)[2]).toBe('2024-04-03');
  });
  test('one mark before decimals holds for all columns', () => {
    const open = plan('1.234\t1.234\t', [newRow], {}, [
      buildColumn('a', { type: 'decimal', scale: 3 }),
      buildColumn('net', { type: 'decimal', scale: 3 }),
    ]);
    expect(open.questions).toHaveLength(2);
    const explained = plan('1.234\t2,5\t', [newRow], {}, [
      buildColumn('a', { type: 'decimal', scale: 3 }),
      buildColumn('net', { type: 'decimal', scale: 3 }),
    ]);
    expect(explained.questions).toEqual([]);
    expect(valuesIn(explained).slice(0, 2)).toEqual([1234, 2.5]);
  });
  test('says which new rows lack a value that is required', () => {
    const planned = plan('\t12\t', [newRow]);
    expect(countsOf(planned).incomplete).toBe(1);
    expect(planned.rows[0]?.missing).toEqual(['name']);
  });
  test('changes no deleted or empty rows, and no cells that a short line does not have', () => {
    const planned = plan('a\n\t\t\nc', [{ is: 'deleted' }, newRow, record('3', { amount: 5 })]);
    expect(countsOf(planned)).toMatchObject({ deleted: 1, newRows: 0, changed: 1 });
    expect(kindsIn(planned).slice(6)).toEqual(['value', 'untouched', 'untouched']);
  });
  test('an empty cell empties that of a record, but not a required one', () => {
    const planned = plan('\t\t', [record('1', { name: 'a', amount: 5, day: null })]);
    expect(kindsIn(planned)).toEqual(['unreadable', 'value', 'unchanged']);
    expect(valuesIn(planned)[1]).toBeNull();
  });
});

describe('what the preview calls unreadable', () => {
  const few = buildColumn('amount', { type: 'decimal', scale: 3, max: 100 });
  // By the comma in the first cell the second is a thousand; read by itself it would be one and a bit.
  const planned = plan('12,5\n1.234\nmany', [record('1', {}), record('2', {}), newRow], {}, [few]);

  test('is given to the grid as no value, in the words of the preview', () => {
    expect(kindsIn(planned)).toEqual(['value', 'unreadable', 'unreadable']);
    const { writes } = writesOf(
      planned,
      () => null,
      () => 'new:1',
    );
    expect(writes).toMatchObject([
      { key: 'new:1', typed: 'many', objection: expect.stringContaining('number') },
      { key: '1', value: 12.5 },
      { key: '2', typed: '1.234', objection: 'The value must be at most 100.' },
    ]);
    const [, , bent] = writes;
    if (!bent) throw new Error('There is no such write.');
    const edits = writeEntry(NO_EDITS, {
      key: '2',
      column: few,
      entry: bent,
      initialValue: null,
      stored: null,
    });
    expect(cellsOf(edits, '2').get('amount')).toMatchObject({
      text: '1.234',
      status: { is: 'unread', message: 'The value must be at most 100.' },
    });
  });

  test('leaves nothing out of what it cannot read, however much that is', () => {
    const COUNT = 2500;
    const targets = Array.from({ length: COUNT }, (_, i) =>
      i % 2 === 0 ? newRow : record(`${i}`, { name: 'Bolt', amount: 7 }),
    );
    const planned = plan(targets.map((_, i) => `Row\tx${i}`).join('\n'), targets);
    const { writes } = writesOf(
      planned,
      () => null,
      (before) => `new:${before}`,
    );
    const unread = writes.flatMap((write) => ('typed' in write ? (write.typed ?? '') : []));
    expect(unread.toSorted()).toEqual(targets.map((_, i) => `x${i}`).toSorted());
  });

  test('is not what it would mean to the reader, where nobody has said which it is', () => {
    const open = plan('03/04/2024', [record('1', {})], {}, [day]);
    const [write] = writesOf(
      open,
      () => null,
      () => 'new:1',
    ).writes;
    expect(write).toMatchObject({
      typed: '03/04/2024',
      objection: expect.stringContaining('ways'),
    });
  });
});

describe('what one pasted cell leaves', () => {
  const shown = (text: string, exact: ClipCell['exact']): ClipCell => ({ text, exact });
  const fine = buildColumn('fine', { type: 'decimal', scale: 3 });

  test('is the day that the other program has, however it shows it', () => {
    const cell = shown('03/04/2024', { is: 'day', text: '2024-03-04' });
    expect(clipEntryOf(day, cell, null)).toEqual({ value: '2024-03-04' });
    expect(clipEntryOf(name, cell, null)).toEqual({ value: '03/04/2024' });
    const ordered = shown('03/04/2024', { is: 'order', order: 'mdy' });
    expect(clipEntryOf(day, ordered, null)).toEqual({ value: '2024-03-04' });
  });
  test('is never the rounded number that is shown for one that does not fit', () => {
    expect(clipEntryOf(amount, shown('1,23', { is: 'number', text: '1.2345' }), null)).toEqual({
      typed: '1,23',
      objection: 'The value must be a number with at most 2 decimal places.',
    });
  });
  test('is never another number by the digits of one that does not fit', () => {
    const cell = readClipboard({ own: writeOwnCells([[1.234]]), html: '', text: '' })?.[0]?.[0];
    if (!cell) throw new Error('There is no cell.');
    expect(clipEntryOf(fine, cell, null)).toEqual({ value: 1.234 });
    expect(clipEntryOf(amount, cell, null)).toMatchObject({ objection: expect.any(String) });
    const tiny = buildColumn('tiny', { type: 'decimal', scale: 14 });
    expect(clipEntryOf(tiny, shown('', { is: 'own', value: 1e-7 }), null)).toEqual({ value: 1e-7 });
  });
  test('of a text of ours is read as if it were typed', () => {
    const cell = shown('1.234', { is: 'own', value: '1.234' });
    expect(clipEntryOf(fine, cell, null)).toEqual({ typed: '1.234' });
    expect(clipEntryOf(name, cell, null)).toEqual({ value: '1.234' });
    const own = { own: writeOwnCells([['1.234'], ['2,5']]), html: '', text: '' };
    const planned = planPaste({
      columns: [fine],
      allColumns: [fine],
      top: 0,
      targets: [record('1', {}), record('2', {})],
      cells: readClipboard(own) ?? [],
      answers: {},
      currentValue: () => null,
    });
    expect(valuesIn(planned)).toEqual([1234, 2.5]);
  });
  test('is nothing where the cell has the value', () => {
    expect(clipEntryOf(amount, shown('2,00', { is: 'number', text: '2' }), 2)).toBeNull();
  });
});

describe('the writes of a small paste', () => {
  test('give each new row a key of its own, and what cannot be read as it was', () => {
    const planned = plan('a\tmany\t\nb\t2\t\nc\t3\t', [record('1', { name: 'a' }), newRow, newRow]);
    const { writes, created } = writesOf(
      planned,
      () => null,
      (before) => `new:${before + 1}`,
    );
    expect(created).toEqual(['new:1', 'new:3']);
    expect(
      writes.map(({ key, column, ...rest }) => [
        key,
        column.name,
        'typed' in rest ? rest.typed : { value: rest.value },
      ]),
    ).toEqual([
      ['new:1', 'name', { value: 'b' }],
      ['new:1', 'amount', { value: 2 }],
      ['new:3', 'name', { value: 'c' }],
      ['new:3', 'amount', { value: 3 }],
      ['1', 'amount', 'many'],
    ]);
  });
});
