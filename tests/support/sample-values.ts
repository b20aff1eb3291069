import fc from 'fast-check';
import type { ValueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';

const two = (number: number) => String(number).padStart(2, '0');

const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const hourAndMinute = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map(([hour, minute]) => `${two(hour)}:${two(minute)}`);

/** Any values of each type, in their stored form; decimals have up to two places. */
export const anyValue: Readonly<Record<ValueType, fc.Arbitrary<Scalar>>> = {
  text: fc.string({ unit: 'grapheme', minLength: 1 }),
  integer: fc.maxSafeInteger(),
  decimal: fc.integer({ min: -999_999_999, max: 999_999_999 }).map((cents) => cents / 100),
  boolean: fc.boolean(),
  date: day,
  datetime: fc
    .tuple(
      day,
      hourAndMinute,
      fc.constantFrom(':00', ':07', ':07.5', ':00.120'),
      fc.constantFrom('Z', '+05:30', '-08:00'),
    )
    .map(([date, time, seconds, offset]) => `${date}T${time}${seconds}${offset}`),
  time: fc
    .tuple(hourAndMinute, fc.nat(59))
    .map(([time, second]) => (second % 4 === 1 ? time : `${time}:${two(second)}`)),
};
