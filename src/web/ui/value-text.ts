import { DEFAULT_SCALE, type Scalar, type ValueRules } from '#shared/values.ts';

/** Fixed places look calm up to here; beyond, numbers are shown as they are. */
const MOST_FIXED_PLACES = 4;
/** More of a text than any cell is wide. */
const LONGEST_SHOWN = 400;

type NumberRules = Pick<ValueRules, 'type' | 'scale'>;

/** A stored value as the text that editors hold: numbers without exponent, with the field's places where `rules` are given; null: no value. */
export function valueText(value: Scalar, rules?: NumberRules): string | null {
  if (typeof value === 'number') return rules ? numberText(rules, value) : plainNumber(value);
  return value === null ? null : String(value);
}

function numberText({ type, scale }: NumberRules, value: number): string {
  const places = scale ?? DEFAULT_SCALE;
  const fixed = value.toFixed(places);
  return type === 'decimal' && places <= MOST_FIXED_PLACES && Number(fixed) === value
    ? fixed
    : plainNumber(value);
}

// JavaScript writes small numbers as 1e-7, which no field accepts as typed text.
function plainNumber(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(14).replace(/\.?0+$/, '') : text;
}

/** A value on one line as lists show it; '' for no value. */
export function shownValue(rules: NumberRules, value: Scalar): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return numberText(rules, value);
  if (rules.type === 'datetime') return shownDatetime(value);
  const short = value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value;
  return short.replaceAll(/\s*(?:\r\n|\r|\n)\s*/g, ' ↵ ');
}

/** `2026-01-31T14:05:00+01:00` as `2026-01-31 14:05 +01:00`; seconds stay where there are any. */
function shownDatetime(text: string): string {
  const [, day, minutes, seconds = '', offset = ''] =
    /^(.{10})T(\d\d:\d\d)(:[\d.]+)?(.*)$/.exec(text) ?? [];
  if (!day) return text;
  return `${day} ${minutes}${seconds === ':00' ? '' : seconds} ${offset === 'Z' ? 'UTC' : offset}`;
}

/** A date and time as the reader writes it, in the reader's own time: `10 Nov 2025, 13:00`; null: it is none. */
export function readersInstant(instant: string, locale?: string): string | null {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return null;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}

/** An instant of the service in the reader's own time: `2026-01-31 14:05`. */
export function localInstant(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return instant;
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
