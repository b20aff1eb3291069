import { describe, expect, it, test } from 'vitest';
import fc from 'fast-check';
import type { Column } from '#shared/rules/definitions.ts';
import { VALUE_TYPES } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { checkValue } from '#web/fields/value-checks.ts';
import { meaningsOf, parseTyped, typedTextHint, readTyped } from '#web/fields/typed-text.ts';
import { localText } from '#web/fields/value-text.ts';
import { anyValue } from '#tests/support/sample-values.ts';
import { buildColumn } from '../tables/columns.ts';

const read = (rules: Partial<Column>, typed: string | null, before: Scalar = null) =>
  parseTyped(buildColumn('X', rules), typed, before).parsed;

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
    [{ type: 'decimal' }, '1,5,5'],
    [{ type: 'decimal', scale: 1 }, '1.25'],
    [{ type: 'date' }, '2026-02-30'],
    [{ type: 'boolean' }, 'maybe'],
    [{ type: 'text', required: true }, null],
    [{ type: 'text', options: ['a', 'b'] }, 'c'],
  ])('%j does not take %j, and keeps it as typed', (rules, typed) => {
    const { text, parsed } = parseTyped(buildColumn('X', rules), typed, null);
    expect(parsed.ok).toBe(false);
    expect(text).toBe(typed);
  });

  test('an emptied text stays empty only where it was', () => {
    expect(read({ type: 'text' }, '', 'something')).toEqual({ ok: true, value: null });
    expect(read({ type: 'text' }, '', '')).toEqual({ ok: true, value: '' });
  });
});

test.each(['en-GB', 'en-US', 'de-DE', 'fr-FR'])(
  'the text of an editor under %s reads back as the value of the cell',
  (locale) => {
    for (const type of VALUE_TYPES) {
      const column = buildColumn('X', { type });
      fc.assert(
        fc.property(anyValue[type], (value) => {
          fc.pre(checkValue(column, value).ok);
          const reading = readTyped(column, localText(column, value, locale), locale);
          expect(reading).toEqual({ kind: 'value', value: value === 0 ? 0 : value });
        }),
      );
    }
  },
);

describe('what a text is about to be taken for', () => {
  it.each<[Partial<Column>, string, string | null]>([
    [{ type: 'text' }, '3/4/26', null],
    [{ type: 'integer' }, '12', null],
    [{ type: 'decimal' }, '1,234.5', '1,234.5'],
    [{ type: 'date' }, '2026-01-31', '31 January 2026'],
    [{ type: 'date' }, '3/4/2026', 'Can mean 3 April 2026 or 4 March 2026'],
    [{ type: 'date' }, '2026-0', null],
  ])('%j: %s', (rules, typed, hint) => {
    expect(typedTextHint(buildColumn('X', rules), typed)).toBe(hint);
  });

  test('nothing is taken where two things can be meant', () => {
    const column = buildColumn('X', { type: 'date' });
    expect(parseTyped(column, '3/4/2026', null).parsed.ok).toBe(false);
    expect(meaningsOf(column, '3/4/2026')).toEqual(['2026-04-03', '2026-03-04']);
    expect(meaningsOf(column, '2026-04-03')).toEqual([]);
  });
});
