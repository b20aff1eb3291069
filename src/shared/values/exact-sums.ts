import { isDecimalOfField, writeAllPlaces, writeExact, type ExactNumber } from './exact-numbers.ts';

/**
 * A sum as it is answered: a JSON number if that holds it exactly, as for the values themselves (whole numbers
 * within ±(2^53−1), decimals of at most 15 digits), otherwise plain decimal text.
 * @param sum with the scale of its values: a sum of decimals is a decimal, even if it is whole
 */
export function answeredSum(sum: ExactNumber): number | string {
  const text = writeExact(sum);
  const value = Number(text);
  const isExact = sum.scale === 0 ? Number.isSafeInteger(value) : isDecimalOfField(text);
  return isExact ? value : text;
}

/** The mean of `count` values, rounded half to even to two places more than the values have, as plain decimal text. */
export function meanText({ units, scale }: ExactNumber, count: number): string {
  const [scaled, by] = [units * 100n, BigInt(count)];
  const size = scaled < 0n ? -scaled : scaled;
  let mean = size / by;
  const twice = (size % by) * 2n;
  if (twice > by || (twice === by && mean % 2n === 1n)) mean += 1n;
  return writeAllPlaces({ units: scaled < 0n ? -mean : mean, scale: scale + 2 });
}
