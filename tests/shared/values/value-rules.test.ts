import '#shared/values/pattern-engine.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonNumber, type JsonValue } from '#shared/values/json.ts';
import { VALUE_TYPES, type ValueType } from '#shared/values/registry.ts';
import { compareValues, parseValue, type ValueRules } from '#shared/values/value-rules.ts';
import { repeated } from '#tests/support/effort.ts';

const rules = (given: Partial<ValueRules> & { type: ValueType }): ValueRules => ({
  required: false,
  maxLength: null,
  scale: null,
  options: null,
  min: null,
  max: null,
  pattern: null,
  ...given,
});
const n = (source: string) => new JsonNumber(source);

/** [what is given, the value it is; undefined: refused] */
type Case = [JsonValue, string | number | boolean | null | undefined];

function table(name: string, given: Partial<ValueRules> & { type: ValueType }, cases: Case[]) {
  describe(name, () => {
    it.each(cases)('%o is %o', (raw, wanted) => {
      const parsed = parseValue(rules(given), raw);
      if (wanted === undefined) {
        expect(parsed).toMatchObject({ ok: false, message: expect.stringMatching(/^[A-Z].*\.$/) });
      } else expect(parsed).toEqual({ ok: true, value: wanted });
    });
  });
}

table('text', { type: 'text' }, [
  ['', ''],
  [null, null],
  ['  a\r\nb ', '  a\r\nb '],
  [n('1.50'), '1.50'],
  [true, 'true'],
  ['a\u0000b', undefined],
  ['a\ud800', undefined],
  [['a'], undefined],
  [{ a: 'b' }, undefined],
  ['x'.repeat(1_000_000), 'x'.repeat(1_000_000)],
  ['x'.repeat(1_000_001), undefined],
]);
table('text of at most 3 characters', { type: 'text', maxLength: 3 }, [
  ['äöü', 'äöü'],
  ['😀😀😀', '😀😀😀'],
  ['😀😀😀😀', undefined],
  ['abcd', undefined],
]);
table('required text', { type: 'text', required: true }, [
  ['', undefined],
  [null, undefined],
  [' ', ' '],
]);
table('text with options', { type: 'text', options: ['EUR', 'GBP'] }, [
  ['EUR', 'EUR'],
  ['eur', undefined],
  ['', null],
]);
table('text with a pattern for the whole of it', { type: 'text', pattern: '[A-Z]+-[0-9]{2}|x' }, [
  ['AB-12', 'AB-12'],
  ['AB-123', undefined],
  ['xx', undefined],
]);
table('integer', { type: 'integer' }, [
  [n('1'), 1],
  [n('1.0'), 1],
  [n('1e3'), 1000],
  [n('-0'), 0],
  ['+7', 7],
  ['007', 7],
  [n('9007199254740991'), 9007199254740991],
  [n('9007199254740992'), undefined],
  [n('1.0000000000000000001'), undefined],
  [n('1e999999999'), undefined],
  ['1e3', undefined],
  [' 1', undefined],
  ['1,000', undefined],
  [true, undefined],
  ['', null],
]);
table('decimal of scale 2', { type: 'decimal', scale: 2 }, [
  [n('1.50'), 1.5],
  [n('1.005'), undefined],
  [n('1.500'), 1.5],
  ['-0.01', -0.01],
  ['1234567890123.45', 1234567890123.45],
  ['12345678901234.56', undefined],
  ['1.', undefined],
  ['.5', undefined],
  ['1,5', undefined],
  ['NaN', undefined],
]);
table('boolean', { type: 'boolean' }, [
  [true, true],
  ['false', false],
  [n('1'), true],
  [n('0'), false],
  [n('2'), undefined],
  ['yes', undefined],
  ['TRUE', undefined],
  ['', null],
]);
table('date', { type: 'date' }, [
  ['2024-02-29', '2024-02-29'],
  ['2023-02-29', undefined],
  ['1900-02-29', undefined],
  ['2000-02-29', '2000-02-29'],
  ['0000-01-01', undefined],
  ['2024-13-01', undefined],
  ['2024-1-1', undefined],
  ['2024-01-01T00:00:00Z', undefined],
  [n('20240101'), undefined],
]);
table('datetime', { type: 'datetime' }, [
  ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00Z'],
  ['2024-01-01T10:00:00.1+05:30', '2024-01-01T10:00:00.1+05:30'],
  ['2024-01-01T10:00:00', undefined],
  ['2024-01-01T10:00Z', undefined],
  ['2024-01-01t10:00:00z', undefined],
  ['2024-01-01T24:00:00Z', undefined],
  ['2024-01-01T23:59:60Z', undefined],
  ['2024-02-30T10:00:00Z', undefined],
  ['2024-01-01T10:00:00.1234Z', undefined],
  ['2024-01-01T10:00:00+14:00', '2024-01-01T10:00:00+14:00'],
  ['2024-01-01T10:00:00+14:01', undefined],
  ['2024-01-01T10:00:00+1:00', undefined],
]);
table('time', { type: 'time' }, [
  ['09:30', '09:30'],
  ['09:30:15', '09:30:15'],
  ['09:30:00', '09:30:00'],
  ['00:00', '00:00'],
  ['23:59:59', '23:59:59'],
  ['', null],
  ['24:00', undefined],
  ['9:30', undefined],
  ['09:60', undefined],
  ['09:30:60', undefined],
  ['09:30Z', undefined],
  ['09:30:15.5', undefined],
  [n('930'), undefined],
  [true, undefined],
]);
table('bounded time', { type: 'time', min: '08:00', max: '17:30' }, [
  ['08:00', '08:00'],
  ['07:59:59', undefined],
  ['17:30:01', undefined],
]);
table('bounded number', { type: 'decimal', min: 0, max: 10 }, [
  [n('0'), 0],
  [n('-0.01'), undefined],
  [n('10.01'), undefined],
]);
table('bounded date', { type: 'date', min: '2020-01-01', max: '2020-12-31' }, [
  ['2020-01-01', '2020-01-01'],
  ['2019-12-31', undefined],
]);

describe('a text that does not match its pattern', () => {
  const said = (pattern: string, patternDescription?: string) => {
    const more = patternDescription === undefined ? {} : { patternDescription };
    const parsed = parseValue(rules({ type: 'text', pattern, ...more }), 'wrong');
    return parsed.ok ? 'nothing' : parsed.message;
  };

  it.each([
    [
      '[A-Z]{2}[0-9]{3}',
      'Two letters, then three digits.',
      /^Two letters.*, for example [A-Z]{2}[0-9]{3}\.$/,
    ],
    ['[^@ ]+@[^@ ]+', 'Enter an e-mail address', /^Enter an e-mail address\.$/],
    ['[A-Z]{2}[0-9]{3}', undefined, /^The value must be written like [A-Z]{2}[0-9]{3}\.$/],
    ['[^@ ]+@[^@ ]+', undefined, /see the description of the field\.$/],
  ])('%s is described in words, never by the expression', (pattern, description, expected) => {
    const message = said(pattern, description);
    expect(message).toMatch(expected);
    expect(message).not.toContain(pattern);
  });
});

describe('values', () => {
  it('come back the same when sent as they were answered', () => {
    const scale = 4;
    const value = fc.oneof(
      fc.tuple(fc.constant<ValueType>('integer'), fc.maxSafeInteger()),
      fc.tuple(
        fc.constant<ValueType>('decimal'),
        fc
          .tuple(fc.integer({ min: -(10 ** 10), max: 10 ** 10 }), fc.nat(9999))
          .map(([whole, part]) => Number(`${whole}.${String(part).padStart(scale, '0')}`)),
      ),
    );
    fc.assert(
      fc.property(value, ([type, number]) => {
        const answered = JSON.stringify(number);
        expect(
          parseValue(rules({ type, scale: type === 'decimal' ? scale : null }), n(answered)),
        ).toEqual({ ok: true, value: number || 0 });
      }),
    );
  });

  it('of any kind never make the parser throw', { tags: ['slow'] }, () => {
    const types = fc.constantFrom(...VALUE_TYPES);
    const raw = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.boolean(),
      fc.constant(null),
      fc.double().map((d) => n(String(d))),
    );
    fc.assert(
      fc.property(types, raw, (type, given) => void parseValue(rules({ type }), given)),
      { numRuns: repeated(400) },
    );
  });

  it('date-times compare by their instant', () => {
    expect(compareValues('datetime', '2024-01-01T01:00:00+01:00', '2024-01-01T00:00:00Z')).toBe(0);
    expect(
      compareValues('datetime', '2024-01-01T00:00:00-01:00', '2024-01-01T00:00:00Z'),
    ).toBeGreaterThan(0);
  });

  it('times compare by the time of day', () => {
    expect(compareValues('time', '09:30', '09:30:00')).toBe(0);
    const times = ['23:59:59', '09:30:01', '00:00', '09:31', '09:30'];
    expect(times.toSorted((a, b) => compareValues('time', a, b))).toEqual([
      '00:00',
      '09:30',
      '09:30:01',
      '09:31',
      '23:59:59',
    ]);
  });
});
