/**
 * Pixels of the row headers, wide enough for the number of the last row and the button beside it. The first page tells
 * that a table is large, its exact count comes later: the width must not change then.
 */
export function rowHeaderWidth(rows: number): number {
  return rows < 10_000 ? 56 : 110;
}
