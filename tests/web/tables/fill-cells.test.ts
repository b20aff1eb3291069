import { describe, expect, test } from 'vitest';
import type { Column } from '#shared/rules/definitions.ts';
import type { ClipboardCell } from '#web/features/data-grid/ranges/clipboard-content.ts';
import { fillDown, fillSideways } from '#web/features/data-grid/ranges/fill-cells.ts';
import { buildColumn } from './columns.ts';

const COLUMNS = [
  buildColumn('a', { type: 'integer' }),
  buildColumn('b', { type: 'integer' }),
  buildColumn('c', { type: 'integer' }),
  buildColumn('d', { type: 'integer' }),
  buildColumn('e'),
];

/** Rows by column name, of which blocks are pulled over others; empty cells are null. */
function buildRows(rows: readonly Readonly<Record<string, ClipboardCell>>[]) {
  return {
    columns: COLUMNS,
    rowAt: (index: number) => (index < rows.length ? { index } : null),
    contentOf: ({ index }: { index: number }, { name }: { name: string }): ClipboardCell =>
      rows[index]?.[name] ?? { value: null },
  };
}
const inShort = (filled: ReturnType<typeof fillDown<{ index: number }, Column>>) =>
  filled.map(({ row, column, content }) => [row.index, column.name, content]);
const value = (of: number | string) => ({ value: of });

describe('the handle pulled sideways', () => {
  const source = { top: 0, bottom: 0, left: 1, right: 2 };
  const target = { top: 0, bottom: 0, left: 3, right: 4 };

  test('continues a series, as downwards', () => {
    const over = buildRows([{ a: value(10), b: value(20) }]);
    expect(inShort(fillSideways({ source, target }, over))).toEqual([
      [0, 'c', value(30)],
      [0, 'd', value(40)],
    ]);
  });

  test('goes back to the left with it', () => {
    const over = buildRows([{ c: value(10), d: value(20) }]);
    expect(inShort(fillSideways({ source: target, target: source }, over))).toEqual([
      [0, 'b', value(0)],
      [0, 'a', value(-10)],
    ]);
  });

  test('repeats where columns hold different kinds of values, or what cannot be read', () => {
    const over = buildRows([{ a: value(1), b: value(2) }]);
    const filled = fillSideways({ source, target: { ...target, right: 5 } }, over);
    expect(filled.map(({ content }) => content)).toEqual([value(1), value(2), value(1)]);
    const unread = buildRows([{ a: { typed: 'x' }, b: value(2) }]);
    expect(fillSideways({ source, target }, unread).map(({ content }) => content)).toEqual([
      { typed: 'x' },
      value(2),
    ]);
  });
});

test('pulled upwards a series goes down', () => {
  const over = buildRows([{}, {}, { a: value(7) }, { a: value(9) }]);
  const source = { top: 2, bottom: 3, left: 1, right: 1 };
  const target = { top: 0, bottom: 1, left: 1, right: 1 };
  expect(inShort(fillDown({ source, target }, over))).toEqual([
    [1, 'a', value(5)],
    [0, 'a', value(3)],
  ]);
});
