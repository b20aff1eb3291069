import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEdits, type BulkEdit, type EditableField } from '#shared/rules/bulk-edits.ts';
import { JsonNumber, type JsonValue } from '#shared/values/json.ts';
import { changeCase } from '#shared/values/text-edits.ts';
import type { ValueType } from '#shared/values/registry.ts';
import { checkRules } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { cpuTime } from '#tests/support/cpu-time.ts';

const field = (name: string, type: ValueType, more: Partial<EditableField> = {}) => ({
  name,
  label: '',
  type,
  required: false,
  maxLength: null,
  scale: null,
  options: null,
  min: null,
  max: null,
  pattern: null,
  ...more,
});
const FIELDS: readonly EditableField[] = [
  field('TEXT', 'text', { maxLength: 40 }),
  field('OTHER', 'text', { required: true }),
  field('AMOUNT', 'decimal', { scale: 2, min: 0 }),
  field('DAY', 'date'),
];

function edit(edits: readonly BulkEdit<JsonValue>[], values: readonly Scalar[]) {
  const read = readEdits(FIELDS, edits);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return read.edit(values);
}
const afterOne = (one: BulkEdit<JsonValue>, before: Scalar, place = 0) => {
  const values: Scalar[] = [null, 'o', null, null];
  values[place] = before;
  const { changes, message } = edit([one], values);
  return message ?? (changes.length === 0 ? before : changes[0]?.after);
};
const TEXT = { field: 'text' };

describe('A bulk edit', () => {
  it.each<[BulkEdit<JsonValue>, Scalar, unknown]>([
    [{ ...TEXT, do: 'set', value: 'b' }, 'a', 'b'],
    [{ ...TEXT, do: 'clear' }, 'a', null],
    [{ ...TEXT, do: 'prepend', text: 'x' }, 'a', 'xa'],
    [{ ...TEXT, do: 'append', text: 'x' }, 'a', 'ax'],
    [{ ...TEXT, do: 'append', text: 'x' }, null, null],
    [{ ...TEXT, do: 'append', text: 'x' }, '', ''],
    [{ ...TEXT, do: 'replace', find: 'a.', with: '$1', matchCase: true }, 'a.A.', '$1A.'],
    [{ ...TEXT, do: 'replace', find: 'a.', with: '$1', matchCase: false }, 'a.A.ab', '$1$1ab'],
    [
      {
        ...TEXT,
        do: 'replacePattern',
        pattern: '(\\w+), (?P<n>\\w+)',
        with: '${n} $1$$',
        matchCase: true,
      },
      'Doe, Jane; Roe, Ann',
      'Jane Doe$; Ann Roe$',
    ],
    [{ ...TEXT, do: 'replacePattern', pattern: '^$', with: '-', matchCase: true }, '', '-'],
    [{ ...TEXT, do: 'trim' }, '  a \t b\u00a0 c \r\n  d ', 'a b c\r\nd'],
    [{ ...TEXT, do: 'case', to: 'upper' }, 'straße é', 'STRASSE É'],
    [{ ...TEXT, do: 'case', to: 'title' }, "o'neil'S éCOLE 2nd", "O'neil's École 2nd"],
    [{ ...TEXT, do: 'case', to: 'sentence' }, 'HELLO THERE. who? ÉL', 'Hello there. Who? Él'],
    [{ ...TEXT, do: 'copy', from: 'OTHER' }, 'a', 'o'],
    [{ ...TEXT, do: 'append', text: 'y'.repeat(40) }, 'a', expect.stringContaining('at most 40')],
  ])('%o of %o', (one, before, after) => {
    expect(afterOne(one, before)).toEqual(after);
  });
  it('changes numbers and dates in the form of the interface', () => {
    const replace = {
      field: 'DAY',
      do: 'replace',
      find: '2023-',
      with: '2024-',
      matchCase: true,
    } as const;
    expect(afterOne(replace, '2023-05-06', 3)).toBe('2024-05-06');
    expect(afterOne({ field: 'DAY', do: 'append', text: '9' }, '2023-05-06', 3)).toMatch(
      /^DAY “2023-05-069”: /,
    );
    expect(afterOne({ field: 'AMOUNT', do: 'append', text: '5' }, 1.2, 2)).toBe(1.25);
    expect(afterOne({ field: 'AMOUNT', do: 'set', value: new JsonNumber('-1') }, 1, 2)).toMatch(
      /at least 0/,
    );
  });
  it('reads numbers and dates out of texts, and asks where they may mean two things', () => {
    const parse = (to: string, text: Scalar, notation: { decimal?: ','; order?: 'mdy' }) =>
      edit(
        [{ field: to, do: 'parse', from: 'TEXT', decimal: null, order: null, ...notation }],
        [text, 'o', 7, null],
      );
    expect(parse('AMOUNT', '1.234,50 €', {}).changes[0]?.after).toBe(1234.5);
    expect(parse('DAY', '03/04/2024', {}).message).toContain('2024-04-03');
    expect(parse('DAY', '03/04/2024', { order: 'mdy' }).changes[0]?.after).toBe('2024-03-04');
    expect(parse('AMOUNT', null, {})).toEqual({ changes: [], message: null });
  });
  it('ends soon with patterns that would need the square of the time', () => {
    const started = cpuTime();
    const pattern = '(a*b|a)';
    const wrong = edit(
      [{ field: 'OTHER', do: 'replacePattern', pattern, with: 'x', matchCase: true }],
      [null, 'a'.repeat(200_000), null, null],
    );
    expect(wrong.message).toContain('too long');
    expect(cpuTime() - started).toBeLessThan(3_000);
  });

  it('write sentences in time that grows with the text alone', () => {
    const started = cpuTime();
    for (const hostile of ['\n', '. ', '.)', " '", '\u2028'].map((part) => part.repeat(200_000))) {
      expect(changeCase(`${hostile}a`, 'sentence').slice(-1)).toMatch(/a/i);
    }
    expect(cpuTime() - started).toBeLessThan(3_000);
  });

  it('write short sentences as a pattern that looks back and forth would', () => {
    const slow = /(?:^|[.!?…]["'”’)\]]*\s+|\n\s*)[^\p{L}\p{N}]*\p{L}/gu;
    const pieces = fc.constantFrom(...Array.from("aÉß1.?…)”' \n\r\t,-"), 'ab', '\u0301');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const given = parts.join('');
        const wanted = given.toLowerCase().replaceAll(slow, (start) => start.toUpperCase());
        expect(changeCase(given, 'sentence')).toBe(wanted);
      }),
    );
  });

  it('of a hundred slow searches are given up for a revision', () => {
    const slow: BulkEdit<JsonValue> = {
      field: 'OTHER',
      do: 'replacePattern',
      pattern: '[a-z]*[0-9]|q',
      with: 'x',
      matchCase: true,
    };
    const started = cpuTime();
    const edits = Array.from({ length: 100 }, () => slow);
    const { changes, message } = edit(edits, [null, 'a'.repeat(1_000_000), null, null]);
    expect(cpuTime() - started).toBeLessThan(5_000);
    expect({ changes, message }).toMatchObject({
      changes: [],
      message: expect.stringContaining('too long for all these edits'),
    });
  });
});

const text = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 30 }));
const name = fc.constantFrom('TEXT', 'OTHER');
const anyEdit: fc.Arbitrary<BulkEdit<JsonValue>> = fc.oneof(
  fc.record({ field: name, do: fc.constant('set' as const), value: text }),
  fc.record({ field: name, do: fc.constant('clear' as const) }),
  fc.record({ field: name, do: fc.constantFrom('prepend' as const, 'append' as const), text }),
  fc.record({
    field: name,
    do: fc.constant('replace' as const),
    find: fc.string({ minLength: 1, maxLength: 3 }),
    with: text,
    matchCase: fc.boolean(),
  }),
  fc.record({ field: name, do: fc.constant('trim' as const) }),
  fc.record({
    field: name,
    do: fc.constant('case' as const),
    to: fc.constantFrom('upper' as const, 'lower' as const, 'title' as const, 'sentence' as const),
  }),
  fc.record({ field: name, do: fc.constant('copy' as const), from: name }),
);

describe('Any bulk edits', () => {
  const values = fc.tuple(fc.option(text), text, fc.constant(1), fc.constant(null));
  it('give values that the rules allow, or say that they do not', () => {
    fc.assert(
      fc.property(fc.array(anyEdit, { maxLength: 5 }), values, (edits, before) => {
        const read = readEdits(FIELDS, edits);
        if (!read.ok) return;
        const { changes, message } = read.edit(before);
        const allowed = changes.every(({ name: changed, after }) => {
          const rules = FIELDS.find((known) => known.name === changed);
          return rules !== undefined && checkRules(rules, after).ok && String(after).isWellFormed();
        });
        if (message === null) expect(allowed).toBe(true);
        for (const change of changes) expect(change.after).not.toBe(change.before);
      }),
    );
  });
  it('do the same as one after the other, as long as each is allowed', () => {
    fc.assert(
      fc.property(anyEdit, anyEdit, values, (one, two, before) => {
        const [first, second, both] = [[one], [two], [one, two]].map((edits) =>
          readEdits(FIELDS, edits),
        );
        if (!first?.ok || !second?.ok || !both?.ok) return;
        const middle = first.edit(before);
        if (middle.message !== null) return;
        const state = (from: readonly Scalar[], { changes }: typeof middle) =>
          FIELDS.map(({ name: own }, i) => {
            const change = changes.find((known) => known.name === own);
            return change ? change.after : (from[i] ?? null);
          });
        const between = state(before, middle);
        expect(state(before, both.edit(before))).toEqual(state(between, second.edit(between)));
      }),
    );
  });
});
