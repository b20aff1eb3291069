import { MAX_SCALE } from '../values/decimal.ts';
import { QUOTIENT_SCALE } from '../values/exact-numbers.ts';

/** An upper bound of the size of a calculation's result, so that no database has to round or refuse it. */
export interface NumberSize {
  /** an upper bound of the decimal logarithm of its absolute value */
  readonly whole: number;
  /** maximum number of decimal places */
  readonly scale: number;
}

/** The maximum number of digits of a result, before and after the point. */
export const MAX_NUMBER_DIGITS = 1_000;

/** A number of a field: a whole number up to 2^53, or a decimal of at most 15 digits. */
export const FIELD_SIZE: NumberSize = { whole: 16, scale: MAX_SCALE };

/** @param text plain decimal text */
export function literalSize(text: string): NumberSize {
  const [whole = '', fraction = ''] = text.split('.');
  return { whole: whole.length, scale: fraction.length };
}

/** @param most an upper bound of its absolute value */
export function wholeSize(most: number): NumberSize {
  return { whole: Math.log10(most), scale: 0 };
}

/** The size of a result that is either of two numbers. */
export function largerSize(a: NumberSize, b: NumberSize): NumberSize {
  return { whole: Math.max(a.whole, b.whole), scale: Math.max(a.scale, b.scale) };
}

/** @param places negative: to tens, hundreds and so on */
export function roundedSize({ whole, scale }: NumberSize, places: number): NumberSize {
  return { whole: Math.max(whole, -places) + 1, scale: Math.min(scale, Math.max(places, 0)) };
}

/** By operator: the size of the result, from the sizes of the operands. */
export const RESULT_SIZES = {
  '+': addedSize,
  '-': addedSize,
  '*': (a: NumberSize, b: NumberSize) => ({ whole: a.whole + b.whole, scale: a.scale + b.scale }),
  // The smallest divisor has a one in its last place.
  '/': (a: NumberSize, b: NumberSize) => ({ whole: a.whole + b.scale + 1, scale: QUOTIENT_SCALE }),
};

function addedSize(a: NumberSize, b: NumberSize): NumberSize {
  const { whole, scale } = largerSize(a, b);
  return { whole: whole + Math.log10(1 + 10 ** -Math.abs(a.whole - b.whole)), scale };
}
