/**
 * Width of the row headers in pixels, sufficient for the last row number and the button next to it. The first page
 * shows that a table is large, before its exact count arrives: the width must not change then.
 */
export function rowHeaderWidth(rows: number): number {
  return rows < 10_000 ? 56 : 110;
}
