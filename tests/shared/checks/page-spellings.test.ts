import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spellingsOf } from '#shared/checks/page-spellings.ts';
import { foldPage, foldWithOffsets, placesOf } from '#shared/checks/page-text.ts';
import type { ValueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { repeated } from '#tests/support/effort.ts';

function isFound(type: ValueType, value: Scalar, page: string): boolean {
  return spellingsOf(type, value)?.test(foldPage(page)) ?? false;
}

const LOCALES = ['en', 'de', 'fr', 'de-CH', 'en-IN', 'es', 'it', 'nl', 'pt-BR', 'pl', 'sv', 'da'];
const locale = fc.constantFrom(...LOCALES);
const cents = fc.integer({ min: 1, max: 999_999_999 });
const day = fc.date({
  min: new Date('1950-01-01'),
  max: new Date('2049-12-31'),
  noInvalidDate: true,
});
const iso = (date: Date) => date.toISOString().slice(0, 10);

describe('values are found on pages', () => {
  it('numbers as any locale writes them, and no other numbers', () => {
    fc.assert(
      fc.property(cents, cents, locale, (own, other, language) => {
        const written = new Intl.NumberFormat(language, { minimumFractionDigits: 2 });
        const page = `Sum: ${written.format(own / 100)} EUR`;
        expect(isFound('decimal', own / 100, page)).toBe(true);
        expect(isFound('decimal', -own / 100, page)).toBe(true);
        // French numbers have spaces, as columns have: their end may be another number.
        if (!['fr', 'pl', 'sv', 'es', 'pt-BR'].includes(language) && other !== own) {
          expect(isFound('decimal', other / 100, page)).toBe(false);
        }
      }),
    );
  });

  it('dates as any locale writes them, and no other dates', { tags: ['slow'] }, () => {
    const styles = fc.constantFrom<'short' | 'medium' | 'long' | 'full'>(
      'short',
      'medium',
      'long',
      'full',
    );
    fc.assert(
      fc.property(day, day, locale, styles, (own, other, language, dateStyle) => {
        const options = { dateStyle, timeZone: 'UTC' } as const;
        const page = `on ${new Intl.DateTimeFormat(language, options).format(own)} at noon`;
        expect(isFound('date', iso(own), page)).toBe(true);
        expect(isFound('datetime', `${iso(own)}T12:00:00+01:00`, page)).toBe(true);
        const isOfOtherYear = own.getUTCFullYear() !== other.getUTCFullYear();
        if (isOfOtherYear) expect(isFound('date', iso(other), page)).toBe(false);
      }),
      { numRuns: repeated(80) },
    );
  });

  it(
    'texts whatever their case, accents, spaces and line ends, as whole words',
    { tags: ['slow'] },
    () => {
      const word = fc.stringMatching(/^[a-zA-Zäöüéß0-9]{2,8}$/u);
      fc.assert(
        fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
          const value = words.join(' ');
          expect(isFound('text', value, `x ${words.join(' \n ').toUpperCase()}, y`)).toBe(true);
          expect(isFound('text', value, `x${value}`)).toBe(false);
          expect(isFound('text', value, `${value}9`)).toBe(false);
          const { folded, offsets } = foldWithOffsets(value);
          expect(folded).toBe(foldPage(value));
          expect(offsets).toHaveLength(folded.length);
        }),
      );
    },
  );

  it.each<[ValueType, Scalar, page: string, boolean]>([
    ['decimal', 2084.4, '2’084.40 CHF', true],
    ['decimal', 2084.4, 'EUR2084,4', true],
    ['decimal', 2084.4, '12,084.40', false],
    ['decimal', 2084.4, '20,844', false],
    ['decimal', 84.4, '2.084,40', false],
    ['decimal', 84.4, '4 84,40', true],
    ['decimal', 2084, '2.084,-', true],
    ['decimal', 12.05, '12.05.2026', false],
    ['decimal', 0.19, 'VAT 19 %', true],
    ['integer', 4711, 'RE004711', true],
    ['integer', 471, '4711', false],
    ['date', '2026-01-31', '1/31/2026', true],
    ['date', '2026-01-31', 'Jan. 31st, 2026', true],
    ['date', '2026-01-31', '31-JAN-26', true],
    ['date', '2026-01-31', '20260131', true],
    ['date', '2026-01-31', '31 de enero de 2026', true],
    ['date', '2026-01-31', '131.01.2026', false],
    ['date', '2026-01-31', '31. Januar 2025', false],
    ['date', '2026-03-04', '4. MRZ 2026', true],
    ['time', '13:30:00', '1:30 p.m.', true],
    ['text', 'Müller GmbH & Co. KG', 'MUELLER GMBH &\nCO.KG', true],
    ['text', 'Mueller', 'Firma Müller', true],
    ['text', 'RE-1001', 'RE-10012', false],
    ['text', 'RE-1001', 'Nr. RE–1001.', true],
    ['text', 'DE123456789', 'DE 123 456 789', true],
    ['text', 'Rechnungsnummer', 'Rechnungs-\nnummer', true],
    ['boolean', true, 'true', false],
    ['text', '---', '---', false],
  ])('%s %s on "%s": %s', (type, value, page, expected) => {
    expect(isFound(type, value, page)).toBe(expected);
  });

  it('with their place on the page', () => {
    const page = 'Größe  10 %\n\nSumme:  2.084,\u00ad40 EUR';
    const spellings = spellingsOf('decimal', 2084.4);
    const [place] = spellings ? placesOf(foldWithOffsets(page), spellings, page.length) : [];
    expect(place && page.slice(place.from, place.to)).toBe('2.084,\u00ad40');
  });
});
