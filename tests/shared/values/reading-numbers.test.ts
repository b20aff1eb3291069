import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Notation,
  notationOf,
  readText,
  UNKNOWN_NOTATION,
  writeText,
} from '#shared/values/readings.ts';
import type { ValueRules } from '#shared/values/value-rules.ts';
import { repeated } from '#tests/support/effort.ts';

const FIELD: ValueRules = {
  type: 'decimal',
  required: false,
  maxLength: null,
  scale: 14,
  options: null,
  min: null,
  max: null,
  pattern: null,
};

/** The number that a text is, all that it can be, or undefined where it is none. */
function read(text: string, notation: Notation | string) {
  const of = typeof notation === 'string' ? notationOf(notation) : notation;
  const reading = readText(FIELD, text, of);
  if (reading.kind === 'value') return reading.value;
  return reading.kind === 'ambiguous' ? reading.readings.map(({ value }) => value) : undefined;
}

type Case = [text: string, locale: string, value: number | number[] | undefined];

describe('a group that begins with 0', () => {
  it.each<Case>([
    ['0.125', 'de-DE', 0.125],
    ['-0.125', 'de-DE', -0.125],
    ['00.125', 'de-DE', 0.125],
    ['01.234', 'de-DE', 1.234],
    ['000.125', 'de-DE', 0.125],
    ['0,125', 'en-US', 0.125],
    ['0,125', 'hi-IN', 0.125],
    ['0.125.000', 'de-DE', undefined],
    ['0 125', 'fr-FR', undefined],
    ["0'125", 'de-CH', undefined],
    ['0.125', 'en-US', 0.125],
    ['0,125', 'de-DE', 0.125],
    ['0012', 'de-DE', 12],
  ])('is none: %s under %s', (text, locale, value) => {
    expect(read(text, locale)).toEqual(value);
  });
});

describe('a dash for no cents', () => {
  it.each<Case>([
    ['12,-', 'de-DE', 12],
    ['5.000,-', 'de-DE', 5000],
    ['12,- €', 'de-DE', 12],
    ['€ 12,-', 'de-DE', 12],
    ['12,– €', 'de-DE', 12],
    ['12,— €', 'de-DE', 12],
    ['12,-- €', 'de-DE', 12],
    ['12,−', 'de-DE', 12],
    ['-12,-', 'de-DE', -12],
    ['(12,-)', 'de-DE', -12],
    ['CHF 12.-', 'de-CH', 12],
    ['12.–', 'de-CH', 12],
    ['5’000.-', 'de-CH', 5000],
    ['12.-', 'de-DE', 12],
    ['5.000.-', 'de-CH', undefined],
    ['1,234.-', 'en-US', 1234],
    ['12,50-', 'de-DE', -12.5],
    ['1.234,50-', 'de-DE', -1234.5],
    ['12-', 'de-DE', -12],
    ['12 -', 'de-DE', -12],
    ['12,50 €-', 'de-DE', -12.5],
    ['-12,50-', 'de-DE', undefined],
    // Half a euro to one, less than nothing to another.
    ['-,50', 'de-DE', undefined],
    ['-.50', 'de-CH', undefined],
    ['-.50', 'en-US', -0.5],
    ['--,50', 'de-DE', undefined],
  ])('is no minus: %s under %s', (text, locale, value) => {
    expect(read(text, locale)).toEqual(value);
  });
});

describe('what is not surely a number', () => {
  it.each<Case>([
    ['5²', 'de-DE', undefined],
    ['1.234,50¹', 'de-DE', undefined],
    ['①', 'de-DE', undefined],
    ['⑴', 'de-DE', undefined],
    ['½', 'de-DE', undefined],
    ['1½', 'de-DE', undefined],
    ['１２', 'de-DE', 12],
    ['١٢', 'ar-EG', undefined],
    ['१२', 'hi-IN', undefined],
    ['12 MIO', 'de-DE', undefined],
    ['12 TSD', 'de-DE', undefined],
    ['12 DEM', 'de-DE', 12],
    ['EUR 12 USD', 'de-DE', undefined],
    ['12 %', 'de-DE', undefined],
    ['12 ‰', 'de-DE', undefined],
    ['1,23E+05', 'de-DE', undefined],
    ['1.23E+05', 'en-US', undefined],
    ['1e5', 'en-US', undefined],
    ['12k', 'en-US', undefined],
    ['100\n200', 'de-DE', undefined],
    ['100\t200', 'de-DE', undefined],
    ['100  200', 'de-DE', undefined],
    ['1.234,', 'en-US', undefined],
    ['1,234.', 'de-DE', undefined],
    ['12.', 'de-DE', 12],
    ['1234567890123456', 'en-US', undefined],
    ['0.1234567890123456', 'en-US', undefined],
  ])('stays as it is: %j under %s', (text, locale, value) => {
    expect(read(text, locale)).toEqual(value);
  });
});

describe('one group with a separator that the user does not use', () => {
  it.each<Case>([
    // The point of a French keypad, or of a program.
    ['1.234', 'fr-FR', [1.234, 1234]],
    ['1.234', 'de-AT', [1.234, 1234]],
    ['1,234', 'de-CH', [1234, 1.234]],
    ['1,234', 'en-CH', [1234, 1.234]],
    ['1,234', 'fr-CH', 1.234],
    ['1,234', 'hi-IN', 1234],
    ['1.234.567', 'fr-FR', 1234567],
    ['1.234,5', 'fr-FR', 1234.5],
    ['12.50', 'fr-FR', 12.5],
    ['1 234', 'fr-FR', 1234],
    ['1,234.50', 'de-CH', 1234.5],
  ])('is asked for: %s under %s', (text, locale, value) => {
    expect(read(text, locale)).toEqual(value);
  });
});

describe('groups of India', () => {
  it.each<Case>([
    ['1,23,456', 'hi-IN', 123456],
    ['12,34,567.50', 'en-IN', 1234567.5],
    ['₹ 1,23,456', 'hi-IN', 123456],
    ['1,234,567', 'hi-IN', 1234567],
    ['1,23,45', 'hi-IN', undefined],
    ['123,45,678', 'hi-IN', undefined],
    ['01,23,456', 'hi-IN', undefined],
    ['1,23,456', 'en-US', undefined],
    ['1.23.456', 'de-DE', undefined],
  ])('are read where they are written: %s under %s', (text, locale, value) => {
    expect(read(text, locale)).toEqual(value);
  });

  it('are read of anybody of whom nothing is known', () => {
    expect(read('1,23,456', UNKNOWN_NOTATION)).toBe(123456);
  });
});

const LOCALES = ['en', 'de', 'fr', 'en-CH', 'de-CH', 'hi-IN'] as const;
/** Digits before the point and, up to 15 in all, behind it. */
const exact = fc
  .tuple(fc.nat({ max: 999_999_999 }), fc.stringMatching(/^[0-9]{0,6}$/), fc.boolean())
  .map(([whole, places, negative]) => ({ whole: String(whole), places, negative }));
type Exact = typeof exact extends fc.Arbitrary<infer T> ? T : never;
const numberOf = ({ whole, places, negative }: Exact) =>
  Number(`${negative ? '-' : ''}${whole}.${places || '0'}`) || 0;

const BY_THOUSANDS = /\B(?=(?:[0-9]{3})+$)/g;
const BY_LAKHS = /\B(?=(?:[0-9]{2})*[0-9]{3}$)/g;

/** How people of a locale write numbers: groups, and what stands before decimal places. */
const WAYS: Readonly<
  Record<(typeof LOCALES)[number], readonly (readonly [RegExp, string, string])[]>
> = {
  en: [
    [BY_THOUSANDS, ',', '.'],
    [BY_THOUSANDS, '', '.'],
  ],
  de: [
    [BY_THOUSANDS, '.', ','],
    [BY_THOUSANDS, '', ','],
    [BY_THOUSANDS, ' ', ','],
  ],
  fr: [
    [BY_THOUSANDS, '\u202f', ','],
    [BY_THOUSANDS, '\u00a0', ','],
    [BY_THOUSANDS, '', ','],
    [BY_THOUSANDS, '', '.'],
  ],
  'en-CH': [
    [BY_THOUSANDS, '’', '.'],
    [BY_THOUSANDS, ',', '.'],
    [BY_THOUSANDS, '', ','],
  ],
  'de-CH': [
    [BY_THOUSANDS, '’', '.'],
    [BY_THOUSANDS, "'", ','],
    [BY_THOUSANDS, '', '.'],
    [BY_THOUSANDS, '', ','],
  ],
  'hi-IN': [
    [BY_LAKHS, ',', '.'],
    [BY_THOUSANDS, ',', '.'],
    [BY_THOUSANDS, '', '.'],
  ],
};
const SIGNS = [
  (text: string) => `-${text}`,
  (text: string) => `−${text}`,
  (text: string) => `${text}-`,
  (text: string) => `(${text})`,
];
const MONEY = [
  (text: string) => text,
  (text: string) => `€ ${text}`,
  (text: string) => `CHF\u00a0${text}`,
  (text: string) => `${text} €`,
  (text: string) => `${text}\u202fEUR`,
];

describe.each(LOCALES)('numbers under %s', (locale) => {
  it('are the same when they are written and read again', () => {
    fc.assert(
      fc.property(exact, (digits) => {
        const value = numberOf(digits);
        expect(read(writeText(FIELD, value, locale), locale)).toBe(value);
        const shown = new Intl.NumberFormat(locale, { maximumFractionDigits: 14 }).format(value);
        expect(read(shown, locale)).toBe(value);
        const field = { ...FIELD, scale: 4 };
        expect(read(writeText(field, value, locale), locale)).toBe(value);
      }),
      { numRuns: repeated(100) },
    );
  });

  it('are never another number than any of its people means', () => {
    fc.assert(
      fc.property(
        exact,
        fc.constantFrom(...WAYS[locale]),
        fc.constantFrom(...SIGNS),
        fc.constantFrom(...MONEY),
        fc.boolean(),
        (digits, [groups, group, mark], sign, money, moneyFirst) => {
          const { whole, places, negative } = digits;
          const plain = whole.replace(groups, group) + (places && mark + places);
          const withSign = (text: string) => (negative ? sign(text) : text);
          const text = moneyFirst ? withSign(money(plain)) : money(withSign(plain));
          const value = numberOf(digits);
          const found = read(text, locale);
          if (found === undefined) expect(text).toMatch(/^.*\(.*\).+$|^.+\(.*\)$/);
          else if (Array.isArray(found)) expect(found.map((one) => one ?? 0)).toContain(value);
          else expect([text, found]).toEqual([text, value]);
        },
      ),
      { numRuns: repeated(100) },
    );
  });
});
