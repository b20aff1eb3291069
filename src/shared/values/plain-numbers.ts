import { JsonNumber } from './json.ts';
import type { RawScalar } from './value-type.ts';

/** The parts of a decimal number, exact: `digits` × 10^-`places`, without superfluous zeros. */
interface ExactDecimal {
  readonly negative: boolean;
  /** the significant ones, with trailing zeros of a whole number; '' for zero */
  readonly digits: string;
  /** digits after the decimal point, 0 or more */
  readonly places: number;
}

const PLAIN = /^([+-]?)([0-9]+)(?:\.([0-9]+))?$/;
const JSON_NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,9}))?$/;

/** No number with more digits is valid; the limit keeps `1e999999999` from being written out. */
const MAX_DIGITS = 400;

/** Of a decimal: a double represents each of them distinctly (IEEE 754, DBL_DIG). Whole numbers go up to ±(2^53−1). */
export const MAX_SIGNIFICANT_DIGITS = 15;

/**
 * Reads `[+-]?digits[.digits]`: no exponent, no blanks, no other separators (docs/interface/decisions.md, section
 * 4).
 */
function readPlainNumber(text: string): ExactDecimal | undefined {
  const match = PLAIN.exec(text);
  return match ? normalise(match[1] === '-', match[2] ?? '', match[3] ?? '', 0) : undefined;
}

/** Reads the source text of a JSON number, which may have an exponent. */
function readJsonNumber(source: string): ExactDecimal | undefined {
  const match = JSON_NUMBER.exec(source);
  return match
    ? normalise(match[1] === '-', match[2] ?? '', match[3] ?? '', Number(match[4] ?? 0))
    : undefined;
}

/** Reads a number of a request: a JSON number, or a text in the plain form. */
export function readRawNumber(raw: RawScalar): ExactDecimal | undefined {
  if (raw instanceof JsonNumber) return readJsonNumber(raw.source);
  return typeof raw === 'string' ? readPlainNumber(raw) : undefined;
}

function normalise(
  negative: boolean,
  whole: string,
  fraction: string,
  exponent: number,
): ExactDecimal | undefined {
  let digits = (whole + fraction).replace(/^0+/, '');
  let places = fraction.length - exponent;
  if (digits === '') return { negative: false, digits: '', places: 0 };
  const trailing = Math.min(/0*$/.exec(digits)?.[0].length ?? 0, Math.max(places, 0));
  if (trailing > 0) {
    digits = digits.slice(0, -trailing);
    places -= trailing;
  }
  if (places < 0) {
    if (digits.length - places > MAX_DIGITS) return undefined;
    digits += '0'.repeat(-places);
    places = 0;
  }
  return { negative, digits, places };
}

/** The number, if it is whole and a safe integer (±(2^53−1)). */
export function toInteger(exact: ExactDecimal): number | undefined {
  if (exact.places > 0 || exact.digits.length > 16) return undefined;
  const number = Number(exact.digits) * (exact.negative ? -1 : 1);
  return Number.isSafeInteger(number) ? number || 0 : undefined;
}

/**
 * A number in decimal digits, without an exponent and trailing zeros. Nothing is rounded.
 * @param value of at most 15 significant digits
 */
export function plainDecimal(value: number): string {
  const text = String(value);
  const [, sign = '', first = '', rest = '', power = '0'] =
    /^(-?)([0-9])(?:\.([0-9]+))?e([+-][0-9]+)$/.exec(text) ?? [];
  if (first === '') return text;
  const places = Number(power);
  return places < 0
    ? `${sign}0.${'0'.repeat(-places - 1)}${first}${rest}`
    : `${sign}${first}${rest.padEnd(places, '0')}`;
}

/** The nearest double; exact in both directions up to 15 significant digits (IEEE 754, DBL_DIG). */
export function toDouble(exact: ExactDecimal): number {
  const padded = exact.digits.padStart(exact.places + 1, '0');
  const point = padded.length - exact.places;
  const text = exact.places > 0 ? `${padded.slice(0, point)}.${padded.slice(point)}` : padded;
  return Number(text) * (exact.negative ? -1 : 1) || 0;
}
