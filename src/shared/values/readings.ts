import * as texts from '#messages/values.ts';
import type { Message } from '#shared/messages/message.ts';
import { readInstant } from './dates.ts';
import { fold } from './fold.ts';
import { type DateOrder, type Days, readDays } from './reading-dates.ts';
import {
  type DecimalMark,
  type Grouping,
  inPlainCharacters,
  readLocalNumber,
} from './reading-numbers.ts';
import {
  DEFAULT_SCALE,
  MAX_SCALE,
  parseType,
  parseValue,
  type Scalar,
  type ValueRules,
} from './values.ts';

/** How someone writes numbers and dates; null where it is not known and has to be asked for where it matters. */
export interface Habits {
  readonly decimal: DecimalMark | null;
  readonly order: DateOrder | null;
  /** how the whole part of numbers is grouped; left out where it is not known, as of a column */
  readonly grouping?: Grouping;
}

/** What a text means as a value of a field. */
export type Reading =
  | { readonly kind: 'value'; readonly value: Scalar }
  /** each with the habits under which it would be meant so */
  | { readonly kind: 'ambiguous'; readonly readings: readonly Meaning[] }
  | ({ readonly kind: 'unreadable' } & Message);

/** The reading of what is no value, and why. */
export function unreadable({ code, params, message: text }: Message): Reading {
  return { kind: 'unreadable', code, params, message: text };
}

interface Meaning {
  readonly value: Scalar;
  readonly habits: Habits;
}

/**
 * The offsets from UTC (`+01:00`) that a local time `YYYY-MM-DDTHH:mm:ss` has where the writer is: two where the
 * clocks are put back and it comes twice, none where they are put forward and it never comes.
 */
export type OffsetsAt = (local: string) => readonly string[];

/**
 * What a number, date or date-time shows of its writer's habits, by the type of its field alone: whether the field
 * then takes the value tells nothing of how it is written.
 * @returns the habits that it can have been written under, where they make a difference: several where it is open
 * which of them it was
 */
export function habitsShownBy({ type }: Pick<ValueRules, 'type'>, written: string): Habits[] {
  if (type === 'text' || type === 'boolean') return [];
  const plain = written.replace(DIRECTION_MARKS, '').trim();
  if (plain.length > LONGEST_WRITTEN) return [];
  const isNumber = type === 'integer' || type === 'decimal';
  // The full stop behind a number may be that of a sentence.
  if (isNumber && /^[^.,]*[.,]$/.test(plain)) return [];
  const candidates = isNumber
    ? numbersOf(plain, UNKNOWN_HABITS)
    : inOrder(readDays(TIME.exec(plain)?.groups?.['day'] ?? plain), UNKNOWN_HABITS);
  const [first, ...others] = candidates;
  const isSame = others.length > 0 && others.every(({ raw }) => raw === first?.raw);
  return isSame ? [] : candidates.map(({ habits }) => habits);
}

/** Nothing is known of the writer. */
export const UNKNOWN_HABITS: Habits = { decimal: null, order: null };

/** How numbers and dates are written under a locale (a BCP 47 tag such as `de-DE`). */
export function habitsOf(locale: string): Habits {
  const mark = numberFormat(locale, 1)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value;
  const parts = groupFormat(locale).formatToParts(1_234_567);
  const group = inPlainCharacters(parts.find(({ type }) => type === 'group')?.value ?? '');
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

/**
 * What a text that was written by people means as a value of the field: taken from a document, a spreadsheet or
 * typed in a grid. It is never rounded or guessed: what the writer's habits do not decide is `ambiguous`, whether
 * or not the field takes each of the values. A text that cannot be meant under the writer's habits but can under
 * others is read as those: `0.125` is an eighth to a German too. Values in the form of the interface (`YYYY-MM-DD`,
 * ISO 8601) are read under any habits.
 * @param offsetsAt gives a date-time without an offset the one it has where it was written; without it such a
 * text is unreadable
 */
export function readText(
  field: ValueRules,
  written: string,
  habits: Habits,
  offsetsAt?: OffsetsAt,
): Reading {
  if (field.type === 'text') return checked(field, matchOption(field, written));
  const text = written.replace(DIRECTION_MARKS, '').trim();
  if (text === '') return checked(field, null);
  // Below, patterns look at a text again and again, which a long one would make last for minutes.
  if (text.length > LONGEST_WRITTEN) return checked(field, text);
  switch (field.type) {
    case 'integer':
    case 'decimal':
      return readNumber(field, text, habits);
    case 'boolean':
      return checked(field, BOOLEANS.get(fold(text.trim())) ?? text);
    case 'date':
      return readDate(field, text, habits);
    case 'datetime':
      return readDatetime(field, text, habits, offsetsAt);
    default:
      return field.type satisfies never;
  }
}

/** Longer texts are no number, date or truth value, however they are written. */
const LONGEST_WRITTEN = 200;

/** Invisible; some locales write them around numbers and dates. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c]/gu;

/**
 * Writes a value as the locale does; `readText` under `habitsOf(locale)` gives the same value back. Numbers are
 * not grouped, as in a spreadsheet; seconds are left out where they are none. Null is written as nothing.
 */
export function writeText(
  field: Pick<ValueRules, 'type' | 'scale'>,
  value: Scalar,
  locale: string,
): string {
  if (value === null) return '';
  if (typeof value === 'number') {
    return numberFormat(locale, fixedPlaces(field)).format(value);
  }
  if (typeof value === 'boolean') {
    const [yes, no] = YES_AND_NO.get(locale.slice(0, 2)) ?? ['yes', 'no'];
    return value ? yes : no;
  }
  if (field.type === 'date') return writeDay(value, locale);
  if (field.type === 'datetime') {
    const [, day = '', minutes = '', seconds = '', offset = ''] =
      /^(.{10})T(.{5})(:[0-9.]+)(.+)$/.exec(value) ?? [];
    const time = seconds === ':00' ? minutes : minutes + seconds;
    return `${writeDay(day, locale)} ${time} ${offset === 'Z' ? 'UTC' : offset}`;
  }
  return value;
}

/** A number of a field with the thousands separators of a locale, to be read and not to be edited: `1.234,50`. */
export function writeGrouped(
  field: Pick<ValueRules, 'type' | 'scale'>,
  value: number,
  locale: string,
): string {
  return numberFormat(locale, fixedPlaces(field), true).format(value);
}

/** How a day is written under a locale: `DD.MM.YYYY`. */
export function dayForm(locale: string): string {
  return writeDay('YYYY-MM-DD', locale);
}

/** Fixed places look calm up to here; beyond, numbers are written as they are. */
const MOST_FIXED_PLACES = 4;

/** The decimal places with which values of a field are written at least, closing zeros included. */
export function fixedPlaces({ type, scale }: Pick<ValueRules, 'type' | 'scale'>): number {
  const places = scale ?? DEFAULT_SCALE;
  return type === 'decimal' && places <= MOST_FIXED_PLACES ? places : 0;
}

function checked(field: ValueRules, raw: Scalar): Reading {
  const parsed = parseValue(field, typeof raw === 'number' ? String(raw) : raw);
  return parsed.ok ? { kind: 'value', value: parsed.value } : unreadable(parsed);
}

/** One of the options, where the text is one but for case, accents and blanks around it. */
function matchOption(field: ValueRules, text: string): string {
  if (!field.options || field.options.includes(text)) return text;
  const wanted = fold(text.trim());
  const alike = field.options.filter((option) => fold(String(option)) === wanted);
  return alike.length === 1 ? String(alike[0]) : text;
}

function readNumber(field: ValueRules, text: string, habits: Habits): Reading {
  const candidates = numbersOf(text, habits);
  const { decimal, grouping } = habits;
  const other = decimal === '.' ? ',' : '.';
  // Who groups by blanks or apostrophes writes `1.234` for a number with decimal places, or took it from others.
  const isForeign = grouping !== undefined && grouping.mark !== other && text.includes(other);
  return choose(
    field,
    text,
    isForeign ? candidates : believed(candidates, (each) => each.decimal === decimal),
  );
}

function numbersOf(text: string, habits: Habits): Candidate[] {
  return (['.', ','] as const).flatMap((decimal) => {
    const plain = readLocalNumber(text, decimal, habits.grouping);
    // What a reading shows of its writer is the mark; the groups are the reader's.
    return plain === null ? [] : [{ raw: plain, habits: { decimal, order: habits.order } }];
  });
}

function readDate(field: ValueRules, text: string, habits: Habits): Reading {
  // Spreadsheets write a day as its midnight.
  const day = text.trim().replace(/[T\s,]+0?0:00(?::00(?:[.,]0+)?)?(?:\s*AM)?$/iu, '');
  return choose(field, text, inWritersOrder(readDays(day), habits));
}

const TIME =
  /^(?<day>.*?[0-9])(?:[T\s,]+(?:um|at|à)?\s*(?<hour>[0-9]{1,2})[:.](?<minute>[0-9]{2})(?:[:.](?<second>[0-9]{2})(?<fraction>[.,][0-9]{1,3})?)?(?:\s*(?<half>[ap]\.?m\.?)|\s*(?:Uhr|h))?(?:\s*(?<offset>Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?)?$/iu;

function readDatetime(
  field: ValueRules,
  text: string,
  habits: Habits,
  offsetsAt: OffsetsAt | undefined,
): Reading {
  const trimmed = text.trim();
  if (typeof readInstant(trimmed) === 'number') return checked(field, trimmed);
  const {
    day = '',
    hour = '0',
    minute = '00',
    second = '00',
    fraction = '',
    half,
    offset,
  } = TIME.exec(trimmed)?.groups ?? {};
  // No clock shows 14:05 AM.
  if (half && !/^(?:0?[1-9]|1[0-2])$/.test(hour)) return checked(field, text);
  const hours = half ? (Number(hour) % 12) + (/^p/iu.test(half) ? 12 : 0) : Number(hour);
  const time = `${String(hours).padStart(2, '0')}:${minute}:${second}`;
  const places = fraction.replace(',', '.');
  const meanings: Candidate[] = [];
  for (const meaning of inWritersOrder(readDays(day), habits)) {
    const local = `${meaning.raw}T${time}`;
    const real = typeof readInstant(`${local}Z`) === 'number';
    const zones = offset ? [writtenOffset(offset)] : real ? (offsetsAt?.(local) ?? ['']) : ['Z'];
    if (zones.length === 0)
      return unreadable(texts.skippedTime({ day: meaning.raw, time: time.slice(0, 5) }));

    for (const zone of zones) meanings.push({ ...meaning, raw: `${local}${places}${zone}` });
  }
  return choose(field, text, meanings);
}

function writtenOffset(offset: string): string {
  if (/^(?:z|utc|gmt)$/iu.test(offset)) return 'Z';
  return offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
}

interface Candidate {
  /** in the form of the interface */
  readonly raw: string;
  readonly habits: Habits;
}

/** The days as the writer's habits have it; all where the habits do not tell. */
function inWritersOrder(days: Days, habits: Habits): readonly Candidate[] {
  const { order } = habits;
  return believed(inOrder(days, habits), (each) => each.order === order);
}

function inOrder(days: Days, habits: Habits): Candidate[] {
  return [...days].map(([order, raw]) => ({ raw, habits: { ...habits, order } }));
}

/** Those that are written as the writer writes, else all. */
function believed(
  candidates: readonly Candidate[],
  asTheWriter: (habits: Habits) => boolean,
): readonly Candidate[] {
  const own = candidates.filter(({ habits }) => asTheWriter(habits));
  return own.length > 0 ? own : candidates;
}

function choose(field: ValueRules, text: string, candidates: readonly Candidate[]): Reading {
  const [first] = candidates;
  if (!first) return checked(field, text);
  const meanings = new Map<Scalar, Meaning>();
  for (const { raw, habits } of candidates) {
    // A number with too many places is meant all the same; a time of 25 hours is none.
    const meant = parseType(
      field.type === 'integer'
        ? { type: 'decimal', scale: MAX_SCALE }
        : { ...field, scale: MAX_SCALE },
      raw,
    );
    if (meant.ok && !meanings.has(meant.value)) {
      meanings.set(meant.value, { value: meant.value, habits });
    }
  }
  if (meanings.size > 1) return { kind: 'ambiguous', readings: [...meanings.values()] };
  const only = candidates.find(({ raw }) => parseValue(field, raw).ok) ?? first;
  return checked(field, only.raw);
}

/** As lists of words that people write for yes and no, folded; `X` marks a box, and `O` is none: some mean no by it. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', 'ja', 'j', 'oui', 'wahr', 'vrai', 'si', '1', 'x'].map(
    (word) => [word, true] as const,
  ),
  ...['false', 'no', 'n', 'nein', 'non', 'falsch', 'faux', 'nee', '0'].map(
    (word) => [word, false] as const,
  ),
]);

const YES_AND_NO: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['en', ['yes', 'no']],
  ['de', ['ja', 'nein']],
  ['fr', ['oui', 'non']],
]);

const groupFormats = new Map<string, Intl.NumberFormat>();

function groupFormat(locale: string): Intl.NumberFormat {
  let format = groupFormats.get(locale);
  if (!format) {
    format = new Intl.NumberFormat(latin(locale), { useGrouping: true });
    groupFormats.set(locale, format);
  }
  return format;
}

const numberFormats = new Map<string, Intl.NumberFormat>();

function numberFormat(locale: string, places: number, useGrouping = false): Intl.NumberFormat {
  const key = `${locale} ${places} ${useGrouping}`;
  let format = numberFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(latin(locale), {
      useGrouping,
      minimumFractionDigits: places,
      maximumFractionDigits: 14,
    });
    numberFormats.set(key, format);
  }
  return format;
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(locale: string): Intl.DateTimeFormat {
  let format = dateFormats.get(locale);
  if (!format) {
    format = new Intl.DateTimeFormat(latin(locale), {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      timeZone: 'UTC',
    });
    dateFormats.set(locale, format);
  }
  return format;
}

/** Latin digits and the calendar that the interface's dates are of, whatever else the locale prefers. */
function latin(locale: string): Intl.Locale {
  return new Intl.Locale(locale, { numberingSystem: 'latn', calendar: 'gregory' });
}

function writeDay(day: string, locale: string): string {
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
