import { answeredSum, meanText } from '#shared/exact-sums.ts';
import type { Column } from '#shared/definitions.ts';
import { compareValues, DEFAULT_SCALE, type Scalar } from '#shared/values.ts';

/** What is said about selected cells; the same as the service says about records (`columnFactsSchema`). */
export interface ValueFacts {
  readonly filled: number;
  readonly min: Scalar;
  readonly max: Scalar;
  readonly sum: number | string | null;
  readonly mean: string | null;
}

/** What is to be known about values of one column that are all at hand. */
export function factsOfValues(column: Column, values: readonly Scalar[]): ValueFacts {
  const filled = values.filter((value) => value !== null && value !== '');
  const extreme = (sign: 1 | -1) =>
    column.type === 'boolean'
      ? null
      : filled.reduce<Scalar>(
          (found, value) =>
            found === null || sign * compareValues(column.type, value, found) > 0 ? value : found,
          null,
        );
  const numbers = filled.filter((value) => typeof value === 'number');
  const scale = column.type === 'decimal' ? (column.scale ?? DEFAULT_SCALE) : 0;
  // By the digits as they are written: multiplying would bring in the errors of floats.
  const units = numbers.reduce((sum, number) => sum + BigInt(unitsOf(number, scale)), 0n);
  const isNumber = column.type === 'integer' || column.type === 'decimal';
  const counted = isNumber && numbers.length > 0;
  return {
    filled: filled.length,
    min: extreme(-1),
    max: extreme(1),
    sum: counted ? answeredSum({ units, scale }) : null,
    mean: counted ? meanText({ units, scale }, numbers.length) : null,
  };
}

function unitsOf(number: number, scale: number): string {
  return number.toFixed(scale).replace('.', '');
}
