import { describe, expect, it, test } from 'vitest';
import fc from 'fast-check';
import type { Column } from '#shared/definitions.ts';
import { parseValue, type Scalar } from '#shared/values.ts';
import { readTyped, textOf } from '#web/features/data-grid/cell-text.ts';
import { buildColumn } from './columns.ts';

const read = (rules: Partial<Column>, typed: string | null, before: Scalar = null) =>
  readTyped(buildColumn('X', rules), typed, before).parsed;

describe('what is typed into a cell', () => {
  it.each<[Partial<Column>, string | null, Scalar]>([
    [{ type: 'text' }, ' blanks stay ', ' blanks stay '],
    [{ type: 'text' }, '', null],
    [{ type: 'text' }, null, null],
    [{ type: 'integer' }, ' 12 ', 12],
    [{ type: 'decimal' }, '-0.50', -0.5],
    [{ type: 'boolean' }, 'Yes', true],
    [{ type: 'boolean' }, 'n', false],
    [{ type: 'boolean' }, 'TRUE', true],
    [{ type: 'date' }, '20260131', '2026-01-31'],
    [{ type: 'datetime' }, '2026-01-31 14:05+01:00', '2026-01-31T14:05:00+01:00'],
  ])('%j reads %j as %j', (rules, typed, value) => {
    expect(read(rules, typed)).toEqual({ ok: true, value });
  });

  it.each<[Partial<Column>, string | null]>([
    [{ type: 'integer' }, '1.5'],
    [{ type: 'decimal' }, '1,5'],
    [{ type: 'decimal', scale: 1 }, '1.25'],
    [{ type: 'date' }, '2026-02-30'],
    [{ type: 'boolean' }, 'maybe'],
    [{ type: 'text', required: true }, null],
    [{ type: 'text', options: ['a', 'b'] }, 'c'],
  ])('%j does not take %j, and keeps it as typed', (rules, typed) => {
    const { text, parsed } = readTyped(buildColumn('X', rules), typed, null);
    expect(parsed.ok).toBe(false);
    expect(text).toBe(typed);
  });

  test('an emptied text stays empty only where it was', () => {
    expect(read({ type: 'text' }, '', 'something')).toEqual({ ok: true, value: null });
    expect(read({ type: 'text' }, '', '')).toEqual({ ok: true, value: '' });
  });
});

test('the text of a stored value reads back as the same value', () => {
  const values: Record<string, fc.Arbitrary<Scalar>> = {
    text: fc.string({ unit: 'grapheme', minLength: 1 }),
    integer: fc.integer(),
    boolean: fc.boolean(),
    decimal: fc.integer({ min: -999_999_999, max: 999_999_999 }).map((cents) => cents / 100),
  };
  for (const type of ['text', 'integer', 'boolean', 'decimal'] as const) {
    const column = buildColumn('X', { type });
    fc.assert(
      fc.property(values[type] ?? fc.constant(null), (value) => {
        fc.pre(parseValue(column, textOf(column, value)).ok);
        expect(read({ type }, textOf(column, value), value)).toEqual({ ok: true, value });
      }),
    );
  }
});
