import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Notation,
  notationOf,
  possibleNotations,
  readText,
  UNKNOWN_NOTATION,
  writeText,
} from '#shared/values/readings.ts';
import { readDays } from '#shared/values/date-parsing.ts';
import { VALUE_TYPES, type ValueType } from '#shared/values/registry.ts';
import { parseValue, type ValueRules } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { cpuTime } from '#tests/support/cpu-time.ts';
import { anyValue } from '#tests/support/sample-values.ts';

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
const german: Notation = { decimal: ',', order: 'dmy' };
const american: Notation = { decimal: '.', order: 'mdy' };

/** What a text is read as: the value, the list of possible values, or undefined. */
function read(given: Partial<ValueRules> & { type: ValueType }, text: string, notation: Notation) {
  const reading = readText(rules(given), text, notation, () => ['+01:00']);
  if (reading.kind === 'value') return reading.value;
  if (reading.kind === 'ambiguous') return reading.readings.map(({ value }) => value);
  expect(reading.message).toMatch(/^[A-Z].*\.$/);
  return undefined;
}

type Case = [text: string, notation: Notation, value: Scalar | Scalar[] | undefined];

describe('numbers', () => {
  it.each<Case>([
    ['1.234,50', german, 1234.5],
    ['1.234,50 €', german, 1234.5],
    ['EUR 1.234,50', german, 1234.5],
    ['€1,234.50', american, 1234.5],
    ['US$ 1', american, undefined],
    ['1.234,50-', german, -1234.5],
    ['-€ 3,5', german, -3.5],
    ['€ -3,5', german, -3.5],
    ['(1,234.50)', american, -1234.5],
    ['(-3)', american, undefined],
    ['−7', american, -7],
    ['--7', american, undefined],
    ['-7-', american, undefined],
    ["1'234'567.5", american, 1234567.5],
    ['1 234 567,5', german, 1234567.5],
    ['1\u202f234,5', german, 1234.5],
    ['1.234', german, 1234],
    ['12.50', german, 12.5],
    ['1,234.50', german, 1234.5],
    ['1,234', german, undefined],
    ['1,234', american, 1234],
    ['12,5', american, 12.5],
    ['1.23.4', german, undefined],
    ['12.34.567', german, undefined],
    ['1.234.567', american, 1234567],
    ['1.234,567.8', german, undefined],
    ['12abc', german, undefined],
    ['€', german, undefined],
    ['.', german, undefined],
    [',5', german, 0.5],
    ['  ', german, null],
    ['0012', UNKNOWN_NOTATION, 12],
    ['12,50', UNKNOWN_NOTATION, 12.5],
    // That the field has two places tells nothing of who wrote it.
    ['1.234', UNKNOWN_NOTATION, [1.234, 1234]],
    ['1.234,5', UNKNOWN_NOTATION, 1234.5],
  ])('%s', (text, notation, value) => {
    expect(read({ type: 'decimal' }, text, notation)).toEqual(value);
  });

  it('asks where both marks could be meant', () => {
    expect(read({ type: 'decimal', scale: 3 }, '1.234', UNKNOWN_NOTATION)).toEqual([1.234, 1234]);
    expect(read({ type: 'integer' }, '1.234', UNKNOWN_NOTATION)).toEqual([1.234, 1234]);
    expect(read({ type: 'integer' }, '1.234', german)).toBe(1234);
    expect(read({ type: 'integer' }, '1.234', american)).toBeUndefined();
    expect(read({ type: 'integer' }, '1,5', german)).toBeUndefined();
  });
});

describe('dates', () => {
  it.each<Case>([
    ['12.03.2024', german, '2024-03-12'],
    ['12.03.2024', american, '2024-03-12'],
    ['12.03.2024', UNKNOWN_NOTATION, '2024-03-12'],
    ['2.3.24', german, '2024-03-02'],
    ['03/04/2024', american, '2024-03-04'],
    ['03/04/2024', german, '2024-04-03'],
    ['03/04/2024', UNKNOWN_NOTATION, ['2024-04-03', '2024-03-04']],
    ['04/04/2024', UNKNOWN_NOTATION, '2024-04-04'],
    ['25/12/2024', american, '2024-12-25'],
    ['03/04/24', UNKNOWN_NOTATION, ['2024-04-03', '2024-03-04', '2003-04-24']],
    ['24-03-12', UNKNOWN_NOTATION, ['2012-03-24', '2024-03-12']],
    ['1.2.24', german, '2024-02-01'],
    ['2024-3-4', american, '2024-03-04'],
    // Written as this writer never does, it tells nothing of day and month.
    ['03/04/2024', { decimal: '.', order: 'ymd' }, ['2024-04-03', '2024-03-04']],
    ['2024-03-12', american, '2024-03-12'],
    ['2024/3/12', german, '2024-03-12'],
    ['20240312', german, '2024-03-12'],
    ['12. März 2024', american, '2024-03-12'],
    ['March 12th, 2024', german, '2024-03-12'],
    ['12-Mar-24', german, '2024-03-12'],
    ['12 févr. 2024', german, '2024-02-12'],
    ['Dienstag, 12. März 2024', german, '2024-03-12'],
    ['12.03.2024 00:00:00', german, '2024-03-12'],
    ['12.03.2024 14:05', german, undefined],
    ['30.02.2024', german, undefined],
    ['29.02.2023', german, undefined],
    ['12.3.124', german, undefined],
    ['12.03-2024', german, undefined],
    ['soon', german, undefined],
  ])('%s', (text, notation, value) => {
    expect(read({ type: 'date' }, text, notation)).toEqual(value);
  });

  it('takes two digits of a year for one near to today', () => {
    const year = (text: string) => readDays(`1.1.${text}`, 2026).get('dmy')?.slice(0, 4);
    expect(['26', '46', '47', '99', '00'].map(year)).toEqual([
      '2026',
      '2046',
      '1947',
      '1999',
      '2000',
    ]);
  });
});

describe('date-times', () => {
  it.each<Case>([
    ['2024-03-12T14:05:06.120+05:30', american, '2024-03-12T14:05:06.120+05:30'],
    ['12.03.2024 14:05', german, '2024-03-12T14:05:00+01:00'],
    ['12.03.2024, 14:05 Uhr', german, '2024-03-12T14:05:00+01:00'],
    ['3/12/2024 2:05:06 PM', american, '2024-03-12T14:05:06+01:00'],
    ['3/12/2024 12:05 AM', american, '2024-03-12T00:05:00+01:00'],
    ['12.03.2024 14:05:06,5 +0200', german, '2024-03-12T14:05:06.5+02:00'],
    ['12.03.2024 14:05 UTC', german, '2024-03-12T14:05:00Z'],
    ['12.03.2024', german, '2024-03-12T00:00:00+01:00'],
    [
      '03/04/2024 1:00',
      UNKNOWN_NOTATION,
      ['2024-04-03T01:00:00+01:00', '2024-03-04T01:00:00+01:00'],
    ],
    ['12.03.2024 25:00', german, undefined],
    ['3/12/2024 14:05 AM', american, undefined],
    ['3/12/2024 0:05 PM', american, undefined],
    ['03/04/2024 25:00', UNKNOWN_NOTATION, undefined],
    ['', german, null],
  ])('%s', (text, notation, value) => {
    expect(read({ type: 'datetime' }, text, notation)).toEqual(value);
  });

  it('asks which one is meant of a time that the clocks run twice', () => {
    const reading = readText(rules({ type: 'datetime' }), '25.10.2026 02:30', german, () => [
      '+02:00',
      '+01:00',
    ]);
    expect(reading).toMatchObject({
      kind: 'ambiguous',
      readings: [{ value: '2026-10-25T02:30:00+02:00' }, { value: '2026-10-25T02:30:00+01:00' }],
    });
  });

  it('says of a time that the clocks skip that there is none', () => {
    const field = rules({ type: 'datetime' });
    expect(readText(field, '29.03.2026 02:30', german, () => [])).toMatchObject({
      kind: 'unreadable',
      message: expect.stringContaining('The time 02:30 does not exist on 2026-03-29'),
    });
    expect(readText(field, '29.03.2026 02:30 +01:00', german, () => [])).toEqual({
      kind: 'value',
      value: '2026-03-29T02:30:00+01:00',
    });
  });

  it('needs to know the offset', () => {
    expect(readText(rules({ type: 'datetime' }), '12.03.2024 14:05', german)).toMatchObject({
      kind: 'unreadable',
    });
  });
});

describe('times of day', () => {
  it.each<[text: string, value: string | undefined]>([
    ['9:30', '09:30'],
    [' 09:30:15 ', '09:30:15'],
    ['9.30', '09:30'],
    ['9h30', '09:30'],
    ['9 Uhr', '09:00'],
    ['9:30 Uhr', '09:30'],
    ['0930', '09:30'],
    ['9:30 pm', '21:30'],
    ['9 p.m.', '21:00'],
    ['12:05 AM', '00:05'],
    ['12:05 PM', '12:05'],
    ['14:05 PM', undefined],
    ['24:00', undefined],
    ['9:3', undefined],
    // It may be a date.
    ['12.03.24', undefined],
    ['930', undefined],
    ['soon', undefined],
  ])('%s', (text, value) => {
    for (const notation of [german, american, UNKNOWN_NOTATION]) {
      expect(read({ type: 'time' }, text, notation)).toEqual(value);
    }
  });
});

describe('other types', () => {
  it('reads yes and no in words', () => {
    expect(read({ type: 'boolean' }, ' Ja ', german)).toBe(true);
    expect(read({ type: 'boolean' }, 'NON', german)).toBe(false);
    expect(read({ type: 'boolean' }, 'maybe', german)).toBeUndefined();
    // In the boxes of a form, X is yes and O is no.
    expect(read({ type: 'boolean' }, 'o', german)).toBeUndefined();
  });

  it('leaves texts as they are', () => {
    expect(read({ type: 'text' }, ' 1.234,50\r\n', german)).toBe(' 1.234,50\r\n');
  });

  it('finds the option that is meant, where it is one', () => {
    const given = { type: 'text', options: ['Paid', 'Öffen', 'open', 'Open'] } as const;
    expect(read(given, ' paid ', german)).toBe('Paid');
    expect(read(given, 'offen', german)).toBe('Öffen');
    expect(read(given, 'OPEN', german)).toBeUndefined();
  });
});

describe('writing', () => {
  const locales = ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'sv-SE', 'ja-JP', 'es-ES', 'ar-EG'];
  const locale = fc.constantFrom(...locales);

  it('knows the notation of locales', () => {
    const byThousands = (mark: string) => ({ grouping: { mark, by: 'thousands' } });
    expect(notationOf('de-DE')).toEqual({ ...german, ...byThousands('.') });
    expect(notationOf('en-US')).toEqual({ ...american, ...byThousands(',') });
    expect(notationOf('en-GB')).toEqual({ decimal: '.', order: 'dmy', ...byThousands(',') });
    expect(notationOf('sv-SE')).toEqual({ decimal: ',', order: 'ymd', ...byThousands(' ') });
    expect(notationOf('de-CH')).toEqual({ decimal: '.', order: 'dmy', ...byThousands("'") });
    expect(notationOf('hi-IN').grouping).toEqual({ mark: ',', by: 'lakhs' });
  });

  const values = {
    ...anyValue,
    decimal: fc
      .tuple(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }), fc.nat(4))
      .map(([digits, places]) => Number(`${digits}e-${places}`)),
  };

  it.each(VALUE_TYPES)('gives every %s back when it is read', (type) => {
    const field = rules({ type, scale: type === 'decimal' ? 4 : null });
    fc.assert(
      fc.property(locale, values[type], (tag, value) => {
        fc.pre(parseValue(field, typeof value === 'number' ? String(value) : value).ok);
        const written = writeText(field, value, tag);
        const reading = readText(field, written, notationOf(tag));
        expect(reading).toEqual({ kind: 'value', value: value === 0 ? 0 : value });
      }),
    );
  });

  it('never reads anything that the field would not take', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...VALUE_TYPES.filter((type) => type !== 'text')),
        fc.stringMatching(/^[-+(]?[0-9.,' /:-]{0,14}[)€ZAPM]{0,2}$/),
        fc.constantFrom(german, american, UNKNOWN_NOTATION),
        (type, text, notation) => {
          const field = rules({ type, required: true });
          const reading = readText(field, text, notation, () => ['Z']);
          if (reading.kind !== 'value') return;
          const { value } = reading;
          const raw = typeof value === 'number' ? String(value) : value;
          expect(parseValue(field, raw)).toEqual({ ok: true, value });
        },
      ),
    );
  });

  it('takes no time over long texts that are none', () => {
    const started = cpuTime();
    const blanks = ' '.repeat(300_000);
    for (const text of [`1${blanks}x`, `a${blanks}b`, '1 '.repeat(200_000), '1.'.repeat(200_000)]) {
      for (const type of VALUE_TYPES.filter((one) => one !== 'text')) {
        expect(readText(rules({ type }), text, UNKNOWN_NOTATION).kind).toBe('unreadable');
        expect(possibleNotations(rules({ type }), text)).toEqual([]);
      }
    }
    expect(readText(rules({ type: 'integer' }), `${blanks}12${blanks}`, german)).toMatchObject({
      value: 12,
    });
    expect(cpuTime() - started).toBeLessThan(2_000);
  });
});
