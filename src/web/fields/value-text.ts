import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/inputs.ts';
import { plainDecimal } from '#shared/values/plain-numbers.ts';
import { isDate } from '#shared/values/iso-dates.ts';
import { fixedPlacesOf, writeGrouped, writeText } from '#shared/values/readings.ts';
import { valueType } from '#shared/values/registry.ts';
import type { ValueRules } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { userLocale, formatNumber } from '#shared/messages/format.ts';
import { localNow } from './local-offsets.ts';
import { truncate } from '#shared/values/truncate.ts';

/** More characters than any cell shows. */
const MAX_SHOWN_LENGTH = 400;

/** The parts of a field's definition that determine the format of its values. */
export type WrittenRules = Pick<ValueRules, 'type' | 'scale'>;

/**
 * A value in the form of the interface, as in drafts and forms: numbers without exponent, with the field's places if
 * `rules` are given; null: no value. People see `localText` of it.
 */
export function valueText(value: Scalar, rules?: WrittenRules): string | null {
  if (typeof value === 'number') return rules ? numberText(rules, value) : plainDecimal(value);
  return value === null ? null : String(value);
}

function numberText(rules: WrittenRules, value: number): string {
  const fixed = value.toFixed(fixedPlacesOf(rules));
  return Number(fixed) === value ? fixed : plainDecimal(value);
}

/** A value in the user's format, which can be parsed again; '' for no value, `true` and `false` unchanged. */
export function localText(rules: WrittenRules, value: Scalar, locale = userLocale()): string {
  if (value === null) return '';
  return typeof value === 'boolean' ? String(value) : writeText(rules, value, locale);
}

/**
 * A value for display: as `localText`, with thousands separators for decimals. Whole numbers have none, because they
 * may be years or identifiers.
 */
export function groupedText(rules: WrittenRules, value: Scalar, locale = userLocale()): string {
  return typeof value === 'boolean' ? String(value) : writeGrouped(rules, value, locale);
}

/** A value on one line as lists show it, in the user's format; '' for no value. */
export function shownValue(rules: WrittenRules, value: Scalar): string {
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  const text = groupedText(rules, value);
  return truncate(text, MAX_SHOWN_LENGTH).replaceAll(/\s*(?:\r\n|\r|\n)\s*/g, ' ↵ ');
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A value in an unambiguous form: `12 March 2024`, `1,234.5`. */
export function inWords({ type }: WrittenRules, value: Scalar): string {
  if (value === null) return commonTexts.noValue;
  if (typeof value === 'number') return formatNumber(value, 14);
  const day = /^\d{4}-\d{2}-\d{2}/.exec(String(value));
  if (valueType(type).family !== 'date' || !day) return String(value);
  const [, minutes = '', seconds = '', offset = ''] =
    /^.{10}T(.{5})(:[0-9.]+)(.+)$/.exec(String(value)) ?? [];
  const words = DAY.format(new Date(`${day[0]}T00:00:00Z`));
  if (minutes === '') return words;
  return `${words}, ${minutes}${seconds === ':00' ? '' : seconds} ${offset === 'Z' ? 'UTC' : offset}`;
}

/** Formats by locale: creating one takes longer than formatting hundreds of dates. */
function formatsByLocale(options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (locale: string): Intl.DateTimeFormat => {
    const format =
      formats.get(locale) ?? new Intl.DateTimeFormat(locale === '' ? undefined : locale, options);
    formats.set(locale, format);
    return format;
  };
}

const momentFormat = formatsByLocale({ dateStyle: 'medium', timeStyle: 'short' });

/** A date and time in the user's format and time zone: `10 Nov 2025, 13:00`; null: invalid. */
export function momentInWords(instant: string, locale = userLocale()): string | null {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? null : momentFormat(locale).format(date);
}

const dayFormat = formatsByLocale({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A date with its month as a word, so that day and month are not confused: `10 Nov 2025`; null: invalid. */
export function dayInWords(day: string | null, locale = userLocale()): string | null {
  if (day === null || !isDate(day)) return null;
  return dayFormat(locale).format(new Date(`${day}T00:00:00Z`));
}

/** An instant of the service in the user's time zone: `31/01/2026 14:05`. */
export function localInstant(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return instant;
  const local = localNow(date.getTime());
  return `${localText({ type: 'date', scale: null }, local.slice(0, 10))} ${local.slice(11, 16)}`;
}
