import { valueType } from '#shared/values/registry.ts';
import { equalityKey, type ValueRules } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';

const DAY_MS = 86_400_000;

/**
 * Continues a row of values as a fill handle does: numbers and moments with a constant step, and dates with a constant
 * step in days or months, continue with it; texts that end in a number count on; everything else repeats. A single
 * value is copied, because it shows no step.
 * @param values the selected values, in the direction of filling
 * @param count how many values are needed
 */
export function continueSeries(
  rules: Pick<ValueRules, 'type' | 'scale'>,
  values: readonly Scalar[],
  count: number,
): Scalar[] {
  const next = values.length > 1 ? stepper(rules, values) : null;
  return Array.from({ length: count }, (_, i) =>
    next ? next(i + 1) : (values[i % values.length] ?? null),
  );
}

type Stepper = (steps: number) => Scalar;

function stepper(
  { type, scale }: Pick<ValueRules, 'type' | 'scale'>,
  values: readonly Scalar[],
): Stepper | null {
  const { family, placesOf } = valueType(type);
  switch (family) {
    case 'number':
      return byNumber(values, placesOf?.(scale) ?? 0);
    case 'date':
      return byMonths(values) ?? byDays(values) ?? byMoments(values);
    case 'time':
      return byTimes(values);
    case 'text':
      return byCounting(values);
    case 'boolean':
      return null;
    default:
      return family satisfies never;
  }
}

/** The constant step between neighbours; null if it varies. */
function evenStep(numbers: readonly number[]): number | null {
  const [first = 0, second = 0] = numbers;
  const step = second - first;
  return numbers.every((number, i) => i === 0 || number - (numbers[i - 1] ?? 0) === step)
    ? step
    : null;
}

function byNumber(values: readonly Scalar[], scale: number): Stepper | null {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length !== values.length) return null;
  // Counted in the smallest unit, so that 0.1 and 0.2 give 0.3.
  const unit = 10 ** scale;
  const units = numbers.map((number) => Math.round(number * unit));
  const step = evenStep(units);
  if (step === null || !units.every(Number.isSafeInteger)) return null;
  const last = units.at(-1) ?? 0;
  return (steps) => {
    const value = last + step * steps;
    return Number.isSafeInteger(value) ? value / unit : null;
  };
}

function byDays(values: readonly Scalar[]): Stepper | null {
  const days = values.map((value) => Date.parse(`${String(value)}T00:00:00Z`) / DAY_MS);
  const step = days.every(Number.isInteger) ? evenStep(days) : null;
  if (step === null) return null;
  const last = days.at(-1) ?? 0;
  return (steps) => dateText(new Date((last + step * steps) * DAY_MS));
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The same day of months, or their last days. */
function byMonths(values: readonly Scalar[]): Stepper | null {
  const dates = values.map((value) => DATE.exec(String(value)));
  const months = dates.map((date) => (date ? Number(date[1]) * 12 + Number(date[2]) - 1 : NaN));
  const days = dates.map((date) => Number(date?.[3]));
  const step = months.every(Number.isInteger) ? evenStep(months) : null;
  if (step === null || step === 0) return null;
  const ends = days.every((day, i) => day === lastDay(months[i] ?? 0));
  const day = Math.max(...days);
  const same = days.every((own, i) => own === Math.min(day, lastDay(months[i] ?? 0)));
  if (!ends && !same) return null;
  const last = months.at(-1) ?? 0;
  return (steps) => {
    const month = last + step * steps;
    const wanted = ends ? lastDay(month) : Math.min(day, lastDay(month));
    return dateText(new Date(Date.UTC(Math.floor(month / 12), month % 12, wanted)));
  };
}

function lastDay(month: number): number {
  return new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
}

const MOMENT = /^(.{10})T(\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)(Z|[+-]\d{2}:\d{2})$/;

/**
 * The same time on days or months with a constant step, or moments with one. All with their common offset: if there are
 * several, the offset of the next one is undetermined.
 */
function byMoments(values: readonly Scalar[]): Stepper | null {
  const parts = values.map((value) => MOMENT.exec(String(value)));
  const [, , time = '', offset = ''] = parts[0] ?? [];
  if (parts.some((part) => part?.[3] !== offset)) return null;
  if (parts.every((part) => part?.[2] === time)) {
    const days = parts.map((part) => part?.[1] ?? null);
    const next = byMonths(days) ?? byDays(days);
    const after = (day: Scalar) => (day === null ? null : `${String(day)}T${time}${offset}`);
    return next && ((steps) => after(next(steps)));
  }
  // Computes with the local time as if it were UTC.
  const moments = parts.map((part) => Date.parse(`${part?.[1]}T${part?.[2]}Z`));
  const step = evenStep(moments);
  if (step === null) return null;
  const last = moments.at(-1) ?? 0;
  const length = parts.some((part) => part?.[2]?.includes('.')) ? 23 : 19;
  return (steps) => {
    const moment = new Date(last + step * steps);
    return dateText(moment) && moment.toISOString().slice(0, length) + offset;
  };
}

/** Times of one day with a constant step; none follow beyond its end. */
function byTimes(values: readonly Scalar[]): Stepper | null {
  const seconds = values.map((value) =>
    value === null ? Number.NaN : Number(equalityKey('time', value)),
  );
  const step = evenStep(seconds);
  if (step === null) return null;
  const last = seconds.at(-1) ?? 0;
  const length = Math.max(...values.map((value) => String(value).length));
  return (steps) => {
    const second = last + step * steps;
    if (second < 0 || second >= DAY_MS / 1000) return null;
    return new Date(second * 1000).toISOString().slice(11, 11 + length);
  };
}

/** null outside the allowed years of a date */
function dateText(date: Date): string | null {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString().slice(0, 10) : null;
}

const ENDS_IN_NUMBER = /^(.*?)(\d{1,15})$/su;

function byCounting(values: readonly Scalar[]): Stepper | null {
  const parts = values.map((value) => ENDS_IN_NUMBER.exec(typeof value === 'string' ? value : ''));
  const [first] = parts;
  if (!first || parts.some((part) => part?.[1] !== first[1])) return null;
  const step = evenStep(parts.map((part) => Number(part?.[2])));
  if (step === null) return null;
  const last = parts.at(-1)?.[2] ?? '';
  const padded = parts.some((part) => part?.[2]?.startsWith('0'));
  return (steps) => {
    const number = Number(last) + step * steps;
    if (number < 0) return null;
    const digits = String(number);
    return (first[1] ?? '') + (padded ? digits.padStart(last.length, '0') : digits);
  };
}
