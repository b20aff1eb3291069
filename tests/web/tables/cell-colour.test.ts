import { describe, expect, it } from 'vitest';
import type { ValueType } from '#shared/values/registry.ts';
import type { Operator, Scalar } from '#shared/values/value-type.ts';
import { readListView, writeListView } from '#web/api/list-view.ts';
import { createColourFunction } from '#web/features/data-grid/columns/cell-colour.ts';
import { buildColumn } from './columns.ts';

describe('a colour by a condition', () => {
  it.each<[ValueType, Operator, string, readonly Scalar[], readonly Scalar[]]>([
    ['integer', 'lt', '5', [4], [5, null]],
    ['decimal', 'gte', '1.50', [1.5, 2], [1.49, null]],
    ['text', 'like', 'muller', ['Frau MÜLLER'], ['Meier', null]],
    ['text', 'in', 'a,b\\,c', ['a', 'b,c'], ['b', null]],
    ['text', 'ne', 'a', ['b', null], ['a']],
    ['text', 'null', 'true', [null, ''], ['a']],
    ['date', 'gt', '2026-01-01', ['2026-01-02'], ['2026-01-01']],
    ['datetime', 'eq', '2026-01-01T12:00:00Z', ['2026-01-01T13:00:00+01:00'], [null]],
    ['boolean', 'eq', 'true', [true], [false, null]],
    ['integer', 'eq', 'no number', [], [1, null]],
  ])('%s %s %s', (type, op, value, coloured, plain) => {
    const rule = { field: 'x', op, value, colour: 'red' } as const;
    const colour = createColourFunction(buildColumn('x', { type }), [rule]);
    for (const one of coloured) expect(colour?.(one)).toBe('red');
    for (const one of plain) expect(colour?.(one)).toBeNull();
  });

  it('is that of the first rule that holds, and none for other columns', () => {
    const rules = [
      { field: 'x', op: 'lt', value: '5', colour: 'red' },
      { field: 'x', op: 'lt', value: '9', colour: 'green' },
    ] as const;
    const colour = createColourFunction(buildColumn('x', { type: 'integer' }), rules);
    expect([3, 7, 9].map((value) => colour?.(value))).toEqual(['red', 'green', null]);
    expect(createColourFunction(buildColumn('y'), rules)).toBeNull();
  });

  it('is in the address, with the pinned columns and the height of rows', () => {
    const view = {
      frozen: 2,
      lines: 3,
      colours: [
        { field: 'x', op: 'lt', value: 'a:b', colour: 'red' },
        { field: 'x', op: 'lt', value: '', colour: 'blue' },
      ],
    } as const;
    expect(readListView(writeListView(view))).toEqual(view);
    expect(readListView({ frozen: '0', lines: 'x', 'colour[x][lt]': 'pink:1' })).toEqual({});
  });
});
