import { isDate } from './dates.ts';
import { fold } from './fold.ts';

/** In which order day, month and year are written. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';

const ORDERS: readonly DateOrder[] = ['dmy', 'mdy', 'ymd'];

/** The day of a text, by the order it was read in; more than one day where the order decides. */
export type Days = ReadonlyMap<DateOrder, string>;

/**
 * The days that a text such as `12.03.2024`, `03/04/24`, `2024-03-12` or `12. März 2024` can mean. Those with the
 * month's name, or with four digits of a year first, mean the same whichever order their writer is used to.
 * @param today the year that years of two digits are near to: from 79 years before it to 20 after
 * @returns by order of writing; empty where the text is no day of the calendar
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
    if (a.length === 4 && c.length <= 2) addInAnyOrder(days, a, b, c, today);
    return days;
  }
  if (c.length !== 2 && c.length !== 4) return days;
  // Nobody writes the month first where full stops part the date.
  for (const order of mark === '.' ? (['dmy'] as const) : ORDERS) {
    if (order === 'dmy') add(days, order, c, b, a, today);
    if (order === 'mdy') add(days, order, c, a, b, today);
    if (order === 'ymd' && c.length === 2 && a.length === 2) add(days, order, a, b, c, today);
  }
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
      addInAnyOrder(days, year, String(number), day, today);
      return days;
    }
  }
  return null;
}

function addInAnyOrder(
  days: Map<DateOrder, string>,
  year: string,
  month: string,
  day: string,
  today: number,
) {
  for (const order of ORDERS) add(days, order, year, month, day, today);
}

function add(
  days: Map<DateOrder, string>,
  order: DateOrder,
  year: string,
  month: string,
  day: string,
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

let names: Map<string, number> | null = null;

/** The names of the months, folded, in the languages that office papers here are mostly written in. */
function monthNames(): ReadonlyMap<string, number> {
  if (names) return names;
  names = new Map();
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
}
