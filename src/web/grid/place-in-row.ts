import type { CSSProperties } from 'react';

/** Where the cell of a column, from 1, stands in its row: each says so itself, as not all are drawn. */
export function placeInRow(
  col: number,
  left: number | undefined,
): CSSProperties & Partial<Record<'--left', string>> {
  const place = { gridColumn: col + 1, gridRow: 1 };
  return left === undefined ? place : { ...place, '--left': `${left}px` };
}
