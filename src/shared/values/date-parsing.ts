import { isDate } from './iso-dates.ts';
import { fold } from './fold.ts';
import { memoized } from './memoized.ts';
import {
  type Candidate,
  DATE_ORDERS,
  type DateOrder,
  type Notation,
  preferWritersNotation,
  UNKNOWN_NOTATION,
} from './value-type.ts';

/** The day of a text, by the order it was read in; more than one day if the order matters. */
type Days = ReadonlyMap<DateOrder, string>;

/**
 * The days that a text such as `12.03.2024`, `03/04/24`, `2024-03-12` or `12. März 2024` can mean. Those with the
 * month's name, or with four digits of a year first, mean the same in every order.
 * @param today the year that years of two digits are near to: from 79 years before it to 20 after
 * @returns by order of writing; empty if the text is not a day of the calendar
 */
export function readDays(text: string, today = new Date().getFullYear()): Days {
  const plain = text.trim().replace(/^\p{L}+\.?,\s*/u, '');
  return readNumeric(plain, today) ?? readNamed(plain, today) ?? new Map();
}

function readNumeric(text: string, today: number): Days | null {
  const compact = /^([0-9]{4})([0-9]{2})([0-9]{2})$/.exec(text);
  const parts =
    compact ?? /^([0-9]{1,4})\s*([./-])\s*([0-9]{1,2})\s*\2\s*([0-9]{1,4})\.?$/.exec(text);
  if (!parts) return null;
  const [, a = '', mark = '', b = '', c = ''] = compact
    ? [compact[0], compact[1], '', compact[2], compact[3]]
    : parts;
  const days = new Map<DateOrder, string>();
  if (a.length >= 3) {
    if (a.length === 4 && c.length <= 2) addInAnyOrder(days, [a, b, c], today);
    return days;
  }
  if (c.length !== 2 && c.length !== 4) return days;
  add(days, 'dmy', [c, b, a], today);
  // Nobody writes the month or the year first with full stops between the parts.
  if (mark === '.') return days;
  add(days, 'mdy', [c, a, b], today);
  if (a.length === 2 && c.length === 2) add(days, 'ymd', [a, b, c], today);
  return days;
}

const NAMED = [
  /^(?<day>[0-9]{1,2})(?:\.|st|nd|rd|th|er|º)?[\s-]*(?:de\s+)?(?<month>\p{L}{3,})\.?,?[\s-]*(?:de\s+)?(?<year>[0-9]{4}|[0-9]{2})$/u,
  /^(?<month>\p{L}{3,})\.?[\s-]*(?<day>[0-9]{1,2})(?:st|nd|rd|th)?,?[\s-]+(?<year>[0-9]{4}|[0-9]{2})$/u,
];

function readNamed(text: string, today: number): Days | null {
  for (const pattern of NAMED) {
    const { day, month, year } = pattern.exec(text)?.groups ?? {};
    const number = month && monthNames().get(fold(month));
    if (day && number && year) {
      const days = new Map<DateOrder, string>();
      addInAnyOrder(days, [year, String(number), day], today);
      return days;
    }
  }
  return null;
}

/** The digits of a date. */
type DateParts = readonly [year: string, month: string, day: string];

function addInAnyOrder(days: Map<DateOrder, string>, parts: DateParts, today: number) {
  for (const order of DATE_ORDERS) add(days, order, parts, today);
}

function add(
  days: Map<DateOrder, string>,
  order: DateOrder,
  [year, month, day]: DateParts,
  today: number,
) {
  const text = `${fullYear(year, today)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (isDate(text)) days.set(order, text);
}

function fullYear(year: string, today: number): string {
  if (year.length !== 2) return year.padStart(4, '0');
  const latest = today + 20;
  return String(latest - ((((latest - Number(year)) % 100) + 100) % 100));
}

/** The names of the months, folded, in the most frequent languages of office documents here. */
const monthNames = memoized((): ReadonlyMap<string, number> => {
  const names = new Map<string, number>();
  for (const language of ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'de-AT']) {
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { day: 'numeric', month, timeZone: 'UTC' });
      for (let i = 0; i < 12; i += 1) {
        const parts = format.formatToParts(Date.UTC(2024, i, 1));
        const name = parts.find(({ type }) => type === 'month')?.value ?? '';
        names.set(fold(name.replace(/\.$/, '')), i + 1);
      }
    }
  }
  return names;
});

/** The days that a text can mean to someone with this notation; all if it does not decide. */
export function interpretDay(text: string, notation: Notation): readonly Candidate[] {
  return preferWritersNotation(
    candidatesByOrder(readDays(text), notation),
    ({ order }) => order === notation.order,
  );
}

/** The days that a text, or a text with a time of day behind it, can mean. */
export function daysInAnyNotation(text: string): readonly Candidate[] {
  return candidatesByOrder(
    readDays(DAY_AND_TIME.exec(text)?.groups?.['day'] ?? text),
    UNKNOWN_NOTATION,
  );
}

function candidatesByOrder(days: Days, notation: Notation): Candidate[] {
  return [...days].map(([order, raw]) => ({ raw, notation: { ...notation, order } }));
}

const DAY_AND_TIME =
  /^(?<day>.*?[0-9])(?:[T\s,]+(?:um|at|à)?\s*(?<hour>[0-9]{1,2})[:.](?<minute>[0-9]{2})(?:[:.](?<second>[0-9]{2})(?<fraction>[.,][0-9]{1,3})?)?(?:\s*(?<half>[ap]\.?m\.?)|\s*(?:Uhr|h))?(?:\s*(?<offset>Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?)?$/iu;

/**
 * Separates a day from its time of day: `12.03.2024 um 14:05 Uhr`. Midnight if there is no time.
 * @returns the time as `HH:mm:ss`, which may not exist, the fraction of a second with its point, and the offset as it
 * is written; null: it has another form
 */
export function splitDayAndTime(text: string) {
  const {
    day,
    hour = '0',
    minute = '00',
    second = '00',
    fraction = '',
    half,
    offset,
  } = DAY_AND_TIME.exec(text)?.groups ?? {};
  const hours = hourOfDay(hour, half);
  if (day === undefined || hours === null) return null;
  return {
    day,
    time: `${hours}:${minute}:${second}`,
    fraction: fraction.replace(',', '.'),
    offset,
  };
}

/**
 * The hour of a clock of 24 hours, in two digits.
 * @param half `am` or `pm` as people write it; undefined: it is of such a clock already
 * @returns null if no clock shows it: 14 AM
 */
export function hourOfDay(hour: string, half: string | undefined): string | null {
  if (half && !/^(?:0?[1-9]|1[0-2])$/.test(hour)) return null;
  const hours = half ? (Number(hour) % 12) + (/^p/iu.test(half) ? 12 : 0) : Number(hour);
  return String(hours).padStart(2, '0');
}
