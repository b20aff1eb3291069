import { memoized } from './memoized.ts';
import { normalizeNumberCharacters } from './number-parsing.ts';
import type { Grouping, Notation } from './value-type.ts';

/** Invisible; some locales write them around numbers and dates. */
export const DIRECTION_MARKS = /[\u200e\u200f\u061c]/gu;

/** How numbers and dates are written under a locale (a BCP 47 tag such as `de-DE`). */
export function notationOf(locale: string): Notation {
  const mark = numberFormat(locale, 1, false)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value;
  const parts = numberFormat(locale, 0, true).formatToParts(1_234_567);
  const group = normalizeNumberCharacters(parts.find(({ type }) => type === 'group')?.value ?? '');
  const [, second] = parts.filter(({ type }) => type === 'integer');
  const by = second?.value.length === 2 ? 'lakhs' : 'thousands';
  const order = dateFormat(locale)
    .formatToParts(0)
    .map(({ type }) => type[0])
    .filter((type) => type === 'd' || type === 'm' || type === 'y')
    .join('');
  return {
    decimal: mark === '.' || mark === ',' ? mark : null,
    order: order === 'dmy' || order === 'mdy' || order === 'ymd' ? order : null,
    ...(isGroupMark(group) ? { grouping: { mark: group, by } } : {}),
  };
}

function isGroupMark(text: string): text is Grouping['mark'] {
  return text === '.' || text === ',' || text === ' ' || text === "'";
}

/** A number in a locale, with a minimum number of decimal places. */
export function writeNumber(
  value: number,
  places: number,
  locale: string,
  useGrouping = false,
): string {
  return numberFormat(locale, places, useGrouping).format(value);
}

const numberFormat = memoized(
  (locale: string, places: number, useGrouping: boolean) =>
    new Intl.NumberFormat(latin(locale), {
      useGrouping,
      minimumFractionDigits: places,
      maximumFractionDigits: 14,
    }),
);

const dateFormat = memoized(
  (locale: string) =>
    new Intl.DateTimeFormat(latin(locale), {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      timeZone: 'UTC',
    }),
);

/** Latin digits and the calendar of the interface's dates, whatever else the locale prefers. */
function latin(locale: string): Intl.Locale {
  return new Intl.Locale(locale, { numberingSystem: 'latn', calendar: 'gregory' });
}

/** A day `YYYY-MM-DD` as the locale writes it. */
export function writeDay(day: string, locale: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return dateFormat(locale)
    .formatToParts(0)
    .map(({ type, value }) => {
      if (type === 'year') return year;
      if (type === 'month') return month;
      if (type === 'day') return date;
      return type === 'literal' ? value.replace(DIRECTION_MARKS, '') : '';
    })
    .join('');
}

/** The pattern of a day in a locale: `DD.MM.YYYY`. */
export function dayForm(locale: string): string {
  return writeDay('YYYY-MM-DD', locale);
}
