import { describe, expect, it } from 'vitest';
import { habitsOf, UNKNOWN_HABITS } from '#shared/readings.ts';
import type { ValueType } from '#shared/values.ts';
import { choicesFor } from '#web/ui/fields/choices.ts';
import { readTyped } from '#web/ui/fields/typed-text.ts';

const CURRENCIES = ['EUR', 'CHF', 'GBP', 'Ünze', null];
const rules = (type: ValueType, scale: number | null = null) => ({ type, scale, options: null });

describe('what is typed into an editor', () => {
  it.each([
    ['EUR', 'EUR'],
    ['eur', 'EUR'],
    [' gb', 'GBP'],
    ['unze', 'Ünze'],
    // Two hold it.
    ['u', 'u'],
    ['XXX', 'XXX'],
    ['', ''],
  ])('of the options: %j → %j', (typed, text) => {
    expect(readTyped({ type: 'text', options: CURRENCIES }, typed)).toEqual({ text });
  });

  it('offers first what begins with it', () => {
    expect(choicesFor(['Neu', 'EUR', 'Europa'], 'eu')).toEqual(['EUR', 'Europa', 'Neu']);
    expect(choicesFor(['10', '100', '1'], '100')).toEqual(['100']);
  });

  it.each([
    ['decimal', 'de-DE', '15.755,30', '15755.30'],
    ['decimal', 'en-GB', '15.755,30', '15755.30'],
    ['decimal', 'de-DE', '1.234', '1234.00'],
    // In the form of the field already.
    ['decimal', 'de-DE', '12.5', '12.5'],
    ['decimal', 'de-DE', 'about 5', 'about 5'],
    ['integer', 'de-DE', '1.234', '1234'],
    ['date', 'en-US', '10.12.2025', '2025-12-10'],
    ['date', 'en-US', '10/12/2025', '2025-10-12'],
    ['date', 'de-DE', '10/12/2025', '2025-12-10'],
    ['date', 'de-DE', '20260131', '2026-01-31'],
    ['date', 'de-DE', '31.2.2026', '31.2.2026'],
    ['datetime', 'de-DE', '10.12.2025 14:05 +01:00', '2025-12-10T14:05:00+01:00'],
  ] as const)('a %s under %s: %s → %s', (type, locale, typed, text) => {
    expect(readTyped(rules(type), typed, habitsOf(locale))).toEqual({ text });
  });

  it('leaves what can be meant in several ways, and says how', () => {
    expect(readTyped(rules('date'), '03/04/2025', UNKNOWN_HABITS)).toEqual({
      text: '03/04/2025',
      ambiguous: '“03/04/2025” can mean 2025-04-03 or 2025-03-04: write one.',
    });
  });
});
