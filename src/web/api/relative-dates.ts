import * as texts from '#messages/common.ts';
import type { Operator } from '#shared/values/value-type.ts';

/** The names of the periods relative to the day on which a list is read, in the order of the menu. */
export const PERIOD_LABELS = {
  today: texts.today,
  yesterday: texts.yesterday,
  'this-week': texts.thisWeek,
  'last-7-days': texts.last7Days,
  'this-month': texts.thisMonth,
  'last-month': texts.lastMonth,
  'this-year': texts.thisYear,
  'last-year': texts.lastYear,
};
type Period = keyof typeof PERIOD_LABELS;

function isPeriod(name: string): name is Period {
  return Object.hasOwn(PERIOD_LABELS, name);
}

/** A period in words within a sentence. */
export function periodLabel(name: string): string {
  return isPeriod(name) ? PERIOD_LABELS[name].toLowerCase() : name;
}

/** A period of days, or of moments by the clock of this computer. */
interface WithinPeriod {
  readonly of: 'days' | 'moments';
  readonly period: Period;
}

/** A period as the value of the condition `within` in an address or a saved view; the inverse of `readWithin`. */
export function writeWithin({ of, period }: WithinPeriod): string {
  return `${of}:${period}`;
}

/** Parses the value of a condition `within`; null: invalid. */
export function readWithin(value: string): WithinPeriod | null {
  const [of, period = ''] = value.split(':', 2);
  return isPeriod(period) && (of === 'days' || of === 'moments') ? { of, period } : null;
}

interface Limit {
  readonly op: Operator;
  readonly value: string;
}

/**
 * The service's conditions for a period as of now: the first and the last day, or the first moment and the end
 * (exclusive). A week begins on Monday; the last 7 days end with today.
 */
export function limitsOf({ of, period }: WithinPeriod, now = new Date()): readonly Limit[] {
  const [start, end] = boundsOf(period, now);
  if (of === 'moments') {
    return [
      { op: 'gte', value: start.toISOString() },
      { op: 'lt', value: end.toISOString() },
    ];
  }
  const last = new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1);
  return [
    { op: 'gte', value: dayOf(start) },
    { op: 'lte', value: dayOf(last) },
  ];
}

/** The local midnights at which a period begins and ends. */
function boundsOf(period: Period, now: Date): readonly [Date, Date] {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const days = (from: number, to: number) =>
    [new Date(year, month, from), new Date(year, month, to)] as const;
  const months = (from: number, to: number) =>
    [new Date(year, from, 1), new Date(year, to, 1)] as const;
  const monday = day - ((now.getDay() + 6) % 7);
  switch (period) {
    case 'today':
      return days(day, day + 1);
    case 'yesterday':
      return days(day - 1, day);
    case 'this-week':
      return days(monday, monday + 7);
    case 'last-7-days':
      return days(day - 6, day + 1);
    case 'this-month':
      return months(month, month + 1);
    case 'last-month':
      return months(month - 1, month);
    case 'this-year':
      return months(0, 12);
    case 'last-year':
      return months(-12, 0);
    default:
      return period satisfies never;
  }
}

function dayOf(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
