import type { CSSProperties } from 'react';

/** Where the cell of a column, from 1, stands in its row: each says so itself, as not all are drawn. */
export function placeInRow(col: number, left: number | undefined): CSSProperties {
  return left === undefined
    ? { gridColumn: col + 1, gridRow: 1 }
    : { gridColumn: col + 1, gridRow: 1, position: 'sticky', left };
}
