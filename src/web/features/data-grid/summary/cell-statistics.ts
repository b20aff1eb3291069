import { answeredSum, meanText } from '#shared/values/exact-sums.ts';
import type { Column } from '#shared/rules/definitions.ts';
import type { AnsweredColumnStatistics } from '#shared/contract/table-analysis-answers.ts';
import { hasRule, isNumber, valueType } from '#shared/values/registry.ts';
import { compareValues } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';

/** Statistics of some cells of one column, which can be merged with others. */
export interface PartialStatistics {
  readonly filled: number;
  /** the exact sum of numbers: units × 10^-scale */
  readonly units: bigint;
  readonly scale: number;
  /** of numbers and dates; null for other types */
  readonly min: Scalar;
  readonly max: Scalar;
}

/** The statistics of selected cells, with the names of the service (`AnsweredColumnStatistics`). */
export interface CellStatistics {
  readonly filled: number;
  readonly min: Scalar;
  readonly max: Scalar;
  readonly sum: number | string | null;
  readonly mean: string | null;
  /** the column by whose rules these are written; null if there is nothing to write */
  readonly column: Column | null;
}

/** Below this limit a number times a power of ten is rounded to the intended unit. */
const MAX_EXACT = 2 ** 50;

/** Counts and sums values of one column. */
export function computeStatistics(column: Column, values: Iterable<Scalar>): PartialStatistics {
  const scale = scaleOf(column);
  const shift = 10 ** scale;
  const ordered = hasRule(column.type, 'min');
  let filled = 0;
  let units = 0n;
  let min: Scalar = null;
  let max: Scalar = null;
  for (const value of values) {
    if (value === null || value === '') continue;
    filled++;
    if (typeof value === 'number') {
      const moved = value * shift;
      // By the written digits: multiplying larger numbers would introduce floating-point errors.
      const isExact = Math.abs(moved) < MAX_EXACT;
      units += isExact ? BigInt(Math.round(moved)) : unitsOf(value.toFixed(scale), scale);
    }
    if (!ordered) continue;
    if (min === null || compareValues(column.type, value, min) < 0) min = value;
    if (max === null || compareValues(column.type, value, max) > 0) max = value;
  }
  return { filled, units, scale, min, max };
}

/** The same from the service's statistics. */
export function fromServiceStatistics(
  column: Column,
  { filled, min, max, sum }: AnsweredColumnStatistics,
): PartialStatistics {
  const scale = scaleOf(column);
  const text = typeof sum === 'number' ? sum.toFixed(scale) : (sum ?? '0');
  const ordered = hasRule(column.type, 'min');
  const ends = ordered ? { min, max } : { min: null, max: null };
  return { filled, units: unitsOf(text, scale), scale, ...ends };
}

/** Merges the statistics of different cells of the same column. */
export function mergeStatistics(
  column: Column,
  one: PartialStatistics,
  other: PartialStatistics,
): PartialStatistics {
  const end = (a: Scalar, b: Scalar, sign: 1 | -1) => {
    if (a === null || b === null) return a ?? b;
    return sign * compareValues(column.type, a, b) > 0 ? a : b;
  };
  return {
    filled: one.filled + other.filled,
    units: one.units + other.units,
    scale: one.scale,
    min: end(one.min, other.min, -1),
    max: end(one.max, other.max, 1),
  };
}

/**
 * The statistics of cells of several columns: for numbers their sum, mean, minimum and maximum, whatever other values
 * there are; else for dates of one kind their minimum and maximum.
 */
export function summarizeColumns(tallies: ReadonlyMap<Column, PartialStatistics>): CellStatistics {
  const all = [...tallies];
  const filled = all.reduce((sum, [, tally]) => sum + tally.filled, 0);
  const comparable = all.filter(([, tally]) => tally.min !== null);
  const numbers = comparable.filter(([column]) => isNumber(column));
  const summarised = numbers.length > 0 ? numbers : comparable;
  const [first] = summarised;
  const oneKind = summarised.every(([{ type }]) => isNumber({ type }) || type === first?.[0].type);
  if (!first || !oneKind) {
    return { filled, min: null, max: null, sum: null, mean: null, column: null };
  }
  // With the greatest number of places among them.
  const [column] = summarised.reduce((a, b) => (b[1].scale > a[1].scale ? b : a));
  const scale = scaleOf(column);
  const merged = summarised
    .map(([, tally]) => tally)
    .reduce((a, b) => mergeStatistics(column, scaled(a, scale), scaled(b, scale)), {
      ...first[1],
      filled: 0,
      units: 0n,
    });
  const counted = numbers.length > 0;
  return {
    filled,
    min: merged.min,
    max: merged.max,
    sum: counted ? answeredSum({ units: merged.units, scale }) : null,
    mean: counted ? meanText({ units: merged.units, scale }, merged.filled) : null,
    column,
  };
}

function scaled(tally: PartialStatistics, scale: number): PartialStatistics {
  return { ...tally, units: tally.units * 10n ** BigInt(scale - tally.scale), scale };
}

function scaleOf({ type, scale }: Column): number {
  return valueType(type).placesOf?.(scale) ?? 0;
}

/** Plain decimal text as whole units of its last place. */
function unitsOf(text: string, scale: number): bigint {
  const [whole = '0', places = ''] = text.split('.');
  return BigInt(whole + places.padEnd(scale, '0'));
}
