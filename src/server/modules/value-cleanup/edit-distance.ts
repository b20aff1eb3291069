/** The maximum length of a compared text, in UTF-16 code units. */
export const MAX_COMPARED_LENGTH = 200;

const rows = [0, 1, 2].map(() => new Uint16Array(MAX_COMPARED_LENGTH + 1));

/**
 * The Damerau–Levenshtein distance of two texts (optimal string alignment): how many letters must be inserted, deleted,
 * substituted, or transposed, each letter at most once. It is symmetric.
 * @param a of at most `MAX_COMPARED_LENGTH` code units, as `b`
 * @param maxDistance the largest distance of interest
 * @returns `maxDistance + 1` if it is larger than `maxDistance`
 */
export function editDistance(a: string, b: string, maxDistance: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > maxDistance) return maxDistance + 1;
  let [before, last, row] = rows;
  if (!before || !last || !row) return maxDistance + 1;
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    // Outside the band around the diagonal every distance is larger than `maxDistance`.
    const from = Math.max(1, i - maxDistance);
    const to = Math.min(b.length, i + maxDistance);
    let rowMinimum = from === 1 ? i : maxDistance + 1;
    row[from - 1] = rowMinimum;
    const letter = a.charCodeAt(i - 1);
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(j - 1);
      const above = j === i + maxDistance ? maxDistance + 1 : (last[j] ?? 0) + 1;
      const left = (row[j - 1] ?? 0) + 1;
      let distance = Math.min(above, left, (last[j - 1] ?? 0) + (letter === other ? 0 : 1));
      const isExchange =
        i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other;
      if (isExchange) distance = Math.min(distance, (before[j - 2] ?? 0) + 1);
      row[j] = distance;
      if (distance < rowMinimum) rowMinimum = distance;
    }
    // A transposition skips one row, but costs what it would have in the row between.
    if (rowMinimum > maxDistance) return maxDistance + 1;
    [before, last, row] = [last, row, before];
  }
  return Math.min(last[b.length] ?? maxDistance + 1, maxDistance + 1);
}
