import { describe, expect, it, vi } from 'vitest';
import type { ValueType } from '#shared/values/registry.ts';
import type { ValueRules } from '#shared/values/value-rules.ts';
import { filterChoices } from '#web/fields/field-choices.ts';
import { formatFieldValue, momentOf, parseField } from '#web/fields/field-model.ts';
import { toInterfaceForm } from '#web/fields/typed-text.ts';

const CURRENCIES = ['EUR', 'CHF', 'GBP', 'Ünze', null];
const rules = (type: ValueType, given: Partial<ValueRules> = {}): ValueRules => ({
  type,
  scale: null,
  options: null,
  required: false,
  maxLength: null,
  min: null,
  max: null,
  pattern: null,
  ...given,
});

describe('what is typed into an editor', () => {
  it.each([
    ['fr-FR', '1.234'],
    ['de-AT', '1.234'],
  ])('is not in the form of the interface by chance, where it is open: %s', (locale, typed) => {
    const field = rules('decimal', { scale: 3 });
    vi.stubGlobal('navigator', { language: locale });
    const held = toInterfaceForm(field, typed);
    expect(parseField(field, held)).toMatchObject({
      ok: false,
      message: expect.stringContaining('can mean'),
    });
    expect(formatFieldValue(field, held)).toBe(held);
    vi.unstubAllGlobals();
    expect(toInterfaceForm(field, '1,234', locale)).toBe('1.234');
  });

  it.each([
    ['EUR', 'EUR'],
    ['eur', 'EUR'],
    [' gb', 'GBP'],
    ['unze', 'Ünze'],
  ])('of the options: %j → %j', (typed, value) => {
    const field = rules('text', { options: CURRENCIES });
    expect(parseField(field, typed)).toEqual({ ok: true, value });
  });

  // Two hold it, or none.
  it.each(['u', 'XXX'])('is none of the options: %s', (typed) => {
    expect(parseField(rules('text', { options: CURRENCIES }), typed).ok).toBe(false);
  });

  it('offers first what begins with it', () => {
    expect(filterChoices(['Neu', 'EUR', 'Europa'], 'eu')).toEqual(['EUR', 'Europa', 'Neu']);
    expect(filterChoices(['10', '100', '1'], '100')).toEqual(['100']);
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
    ['date', 'de-DE', '101225', '2025-12-10'],
    ['date', 'de-DE', '10122025', '2025-12-10'],
    ['date', 'en-US', '121025', '2025-12-10'],
    ['date', 'de-DE', '321225', '321225'],
    ['date', 'de-DE', '31.2.2026', '31.2.2026'],
    ['datetime', 'de-DE', '10.12.2025 14:05 +01:00', '2025-12-10T14:05:00+01:00'],
    ['time', 'en-US', '9:30 pm', '21:30'],
    ['time', 'de-DE', '9.30', '09:30'],
    ['time', 'de-DE', '930', '09:30'],
    ['time', 'de-DE', '93015', '09:30:15'],
    ['time', 'de-DE', '2530', '2530'],
  ] as const)('a %s under %s: %s → %s', (type, locale, typed, text) => {
    expect(toInterfaceForm(rules(type), typed, locale)).toBe(text);
  });

  it('leaves what can be meant in several ways, and says how', () => {
    expect(toInterfaceForm(rules('date'), '03/04/2025', 'sv-SE')).toBe('03/04/2025');
    // The locale of the tests writes the year first as well.
    expect(parseField(rules('date'), '03/04/2025')).toMatchObject({
      ok: false,
      message: '“03/04/2025” can mean 3 April 2025 or 4 March 2025: enter one of them.',
    });
  });

  it('asks for a date in the user’s format', () => {
    const refusedIn = (locale: string) => {
      vi.spyOn(navigator, 'language', 'get').mockReturnValue(locale);
      return parseField(rules('date'), 'soon');
    };
    expect(refusedIn('de-DE')).toHaveProperty(
      'message',
      expect.stringMatching(/written as DD\.MM\.YYYY\.$/),
    );
    expect(refusedIn('en-US')).toHaveProperty(
      'message',
      expect.stringMatching(/written as MM\/DD\/YYYY\.$/),
    );
    vi.restoreAllMocks();
  });

  it('is held in the form of the interface, which no locale reads otherwise', () => {
    const field = rules('decimal', { scale: 3 });
    expect(toInterfaceForm(field, '1.234', 'de-DE')).toBe('1234.000');
    expect(parseField(field, '1.234')).toEqual({ ok: true, value: 1.234 });
    expect(formatFieldValue(field, '1.234')).toBe('1.234');
    expect(formatFieldValue(rules('date'), 'soon')).toBe('soon');
  });
});

it('says the moment that a field holds by the clock here, once it is one', () => {
  vi.stubGlobal('navigator', { language: 'en-GB' });
  expect(momentOf(rules('datetime'), '2025-11-10T13:00:00+01:00')).toMatch(
    /^10 Nov 2025, \d\d:00$/,
  );
  expect(momentOf(rules('datetime'), '2025-11-10')).toBeNull();
  expect(momentOf(rules('date'), '2025-11-10')).toBeNull();
  vi.unstubAllGlobals();
});
