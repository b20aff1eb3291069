import { MAX_SIGNIFICANT_DIGITS } from './numbers.ts';

/** A sum without rounding: `units` × 10^-`scale`. */
export interface ExactSum {
  readonly units: bigint;
  readonly scale: number;
}

/**
 * A sum as it is answered: a JSON number if that holds it exactly, as for the values themselves (whole numbers
 * within ±(2^53−1), decimals of at most 15 digits), otherwise plain decimal text.
 */
export function answeredSum({ units, scale }: ExactSum): number | string {
  const text = plain(units, scale)
    .replace(/(\.[0-9]*?)0+$/, '$1')
    .replace(/\.$/, '');
  const exact =
    scale === 0
      ? Number.isSafeInteger(Number(units))
      : text.replaceAll(/^-?0*\.?0*|\.|-/g, '').length <= MAX_SIGNIFICANT_DIGITS;
  return exact ? Number(text) : text;
}

/** The mean of `count` values, rounded half to even to two places more than the values have, as plain decimal text. */
export function meanText({ units, scale }: ExactSum, count: number): string {
  const places = scale + 2;
  const [scaled, by] = [units * 100n, BigInt(count)];
  const size = scaled < 0n ? -scaled : scaled;
  let mean = size / by;
  const twice = (size % by) * 2n;
  if (twice > by || (twice === by && mean % 2n === 1n)) mean += 1n;
  return plain(scaled < 0n ? -mean : mean, places);
}

function plain(units: bigint, places: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const point = digits.length - places;
  const text = places > 0 ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
  return units < 0n ? `-${text}` : text;
}
