import {
  DEFAULT_SCALE,
  parseValue,
  type Parsed,
  type Scalar,
  type ValueRules,
} from '#shared/values.ts';
import { completeDate, completeDatetime } from '#web/ui/fields/date-completion.ts';

/** Fixed places look calm up to here; beyond, numbers are shown as they are. */
const MOST_FIXED_PLACES = 4;
/** More of a text than any cell is wide. */
const LONGEST_SHOWN = 300;

/** A value as the text that is edited and copied; '' for no value. */
export function textOf(value: Scalar): string {
  return value === null ? '' : String(value);
}

/** A value as its cell shows it, on one line. */
export function shownText(rules: Pick<ValueRules, 'type' | 'scale'>, value: Scalar): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const places = rules.scale ?? DEFAULT_SCALE;
  if (rules.type === 'decimal' && typeof value === 'number' && places <= MOST_FIXED_PLACES) {
    const fixed = value.toFixed(places);
    return Number(fixed) === value ? fixed : String(value);
  }
  if (rules.type === 'datetime') return shownDatetime(String(value));
  return oneLine(String(value));
}

/** A text on one line, its line breaks as signs. */
export function oneLine(text: string): string {
  const short = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  return short.replaceAll(/\r\n|\r|\n/g, ' ↵ ');
}

/** `2026-01-31T14:05:00+01:00` as `2026-01-31 14:05 +01:00`: seconds are shown where they are any. */
function shownDatetime(text: string): string {
  const [, day, minutes, seconds = '', offset = ''] =
    /^(.{10})T(\d\d:\d\d)(:[\d.]+)?(.*)$/.exec(text) ?? [];
  if (!day) return text;
  return `${day} ${minutes}${seconds === ':00' ? '' : seconds} ${offset === 'Z' ? 'UTC' : offset}`;
}

const WORDS: Readonly<Record<string, string>> = {
  y: 'true',
  yes: 'true',
  n: 'false',
  no: 'false',
};

export interface Typed {
  /** the text as it stays in the cell where it cannot be read */
  readonly text: string | null;
  readonly parsed: Parsed;
}

/**
 * Reads what was typed into a cell, by the one rule for values. Short dates are completed and blanks
 * around what is no text are left out; nothing else is bent.
 * @param typed null where the cell was cleared
 * @param before the value that stood in the cell: an emptied text stays '' only where it was ''
 */
export function readTyped(rules: ValueRules, typed: string | null, before: Scalar): Typed {
  if (typed === null) return { text: null, parsed: parseValue(rules, null) };
  if (rules.type === 'text') {
    const text = typed === '' && before !== '' ? null : typed;
    return { text, parsed: parseValue(rules, text) };
  }
  const trimmed = typed.trim();
  const completed =
    rules.type === 'date'
      ? completeDate(trimmed)
      : rules.type === 'datetime'
        ? completeDatetime(trimmed)
        : rules.type === 'boolean'
          ? (WORDS[trimmed.toLowerCase()] ?? trimmed.toLowerCase())
          : trimmed;
  const parsed = parseValue(rules, completed);
  return { text: parsed.ok ? completed : typed, parsed };
}
