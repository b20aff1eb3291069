import { MAX_SIGNIFICANT_DIGITS } from './plain-numbers.ts';

/** A decimal number without rounding: `units` × 10^-`scale`, `scale` 0 or more. */
export interface ExactNumber {
  readonly units: bigint;
  readonly scale: number;
}

/**
 * Values of fields have at most 15 significant digits, so that a double represents each distinctly (IEEE 754, DBL_DIG).
 */
const MAX_UNITS = 1e15;

/** The decimal places of quotients (docs/interface/checks.md). */
export const QUOTIENT_SCALE = 15;

const POWERS: bigint[] = [1n];
function power(exponent: number): bigint {
  for (let i = POWERS.length; i <= exponent; i++) POWERS.push((POWERS[i - 1] ?? 1n) * 10n);
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
}

/**
 * The decimal number of at most 15 digits, or the whole number, that a value of a field is stored as. Other doubles are
 * taken by their shortest text.
 * @throws {SyntaxError} if the value is not finite
 */
export function exactOf(value: number): ExactNumber {
  if (Number.isSafeInteger(value)) return { units: BigInt(value), scale: 0 };
  // Most decimals have two places. The division is rounded correctly, so that equal doubles mean equal decimals.
  const hundredths = Math.round(value * 100);
  if (Math.abs(hundredths) < MAX_UNITS && hundredths / 100 === value) {
    return { units: BigInt(hundredths), scale: 2 };
  }
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const { units, scale } = readExact(mantissa);
  const places = scale - Number(exponent);
  return places >= 0 ? { units, scale: places } : { units: units * power(-places), scale: 0 };
}

/**
 * Reads `[-]digits[.digits]`. The form is not checked.
 * @throws {SyntaxError} for most other texts, such as one with an exponent
 */
export function readExact(text: string): ExactNumber {
  const [whole = '', fraction = ''] = text.split('.');
  return { units: BigInt(whole + fraction), scale: fraction.length };
}

/** Numbers as `writeExact` writes them: the pattern of the whole text. */
export const CANONICAL_NUMBER = '0|-?[1-9][0-9]{0,15}|-?(0|[1-9][0-9]{0,15})[.][0-9]{0,14}[1-9]';

const WHOLE = new RegExp(`^(?:${CANONICAL_NUMBER})$`);

/** Whether a text is a number as `writeExact` writes it: each number has one such text. */
export function isCanonicalNumber(text: string): boolean {
  return WHOLE.test(text);
}

/** Writes `[-]digits[.digits]`, without trailing zeros. */
export function writeExact(number: ExactNumber): string {
  const text = writeAllPlaces(number);
  return number.scale > 0 ? text.replace(/\.?0+$/, '') : text;
}

/** Writes `[-]digits[.digits]` with `scale` decimal places, whether or not they are zeros. */
export function writeAllPlaces({ units, scale }: ExactNumber): string {
  const digits = absolute(units)
    .toString()
    .padStart(scale + 1, '0');
  const point = digits.length - scale;
  const text = scale > 0 ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
  return units < 0n ? `-${text}` : text;
}

/** @returns below 0, 0 or above 0: `a` is less than `b`, equal to it or greater */
export function compareExact(a: ExactNumber, b: ExactNumber): number {
  const [x, y] = aligned(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** `a` + `b`, without rounding. */
export function addExact(a: ExactNumber, b: ExactNumber): ExactNumber {
  const [x, y] = aligned(a, b);
  return { units: x + y, scale: Math.max(a.scale, b.scale) };
}

/** The number with the opposite sign. */
export function negateExact({ units, scale }: ExactNumber): ExactNumber {
  return { units: -units, scale };
}

/** `a` × `b`, without rounding. */
export function multiplyExact(a: ExactNumber, b: ExactNumber): ExactNumber {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

/** The quotient with 15 places, rounded half away from zero; null if the divisor is zero. */
export function divideExact(a: ExactNumber, b: ExactNumber): ExactNumber | null {
  if (b.units === 0n) return null;
  const dividend = a.units * power(QUOTIENT_SCALE + b.scale);
  return { units: quotient(dividend, b.units * power(a.scale)), scale: QUOTIENT_SCALE };
}

/** @param places may be negative: -2 rounds to hundreds. Half is rounded away from zero. */
export function roundExact(number: ExactNumber, places: number): ExactNumber {
  if (places >= number.scale) return number;
  const units = quotient(number.units, power(number.scale - places));
  return places >= 0 ? { units, scale: places } : { units: units * power(-places), scale: 0 };
}

/** The whole number nearest to a fraction; half is rounded away from zero. */
function quotient(dividend: bigint, divisor: bigint): bigint {
  const whole = dividend / divisor;
  const rest = dividend % divisor;
  if (absolute(rest) * 2n < absolute(divisor)) return whole;
  return dividend < 0n === divisor < 0n ? whole + 1n : whole - 1n;
}

function absolute(units: bigint): bigint {
  return units < 0n ? -units : units;
}

/** The number without its sign. */
export function absoluteExact({ units, scale }: ExactNumber): ExactNumber {
  return { units: absolute(units), scale };
}

function aligned(a: ExactNumber, b: ExactNumber): [bigint, bigint] {
  if (a.scale === b.scale) return [a.units, b.units];
  return a.scale < b.scale
    ? [a.units * power(b.scale - a.scale), b.units]
    : [a.units, b.units * power(a.scale - b.scale)];
}

/** The number as a field stores it; undefined if no field can: beyond 15 digits, and whole numbers beyond 2^53. */
export function storedNumber(number: ExactNumber): number | undefined {
  const text = writeExact(number);
  const value = Number(text);
  const isStored = text.includes('.') ? isDecimalOfField(text) : Number.isSafeInteger(value);
  return isStored ? value : undefined;
}

/** Whether a text of `writeExact` has no more significant digits than a decimal of a field may have. */
export function isDecimalOfField(text: string): boolean {
  return text.replaceAll(/^-?[0.]*|\./g, '').length <= MAX_SIGNIFICANT_DIGITS;
}
