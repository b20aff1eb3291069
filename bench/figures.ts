/** The value that `part` of the values, in ascending order, are at most. */
export function partBelow(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}

/** The middle of some values; of an even number of them the lower of the two. */
export function median(values: readonly number[]): number {
  return partBelow(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/** The value that `part` of some values are at most, rounded to whole numbers. */
export function roundedPartBelow(values: readonly number[], part: number): number {
  return Math.round(
    partBelow(
      values.toSorted((a, b) => a - b),
      part,
    ),
  );
}
