import type { Column } from '#shared/definitions.ts';
import type { WidthLimits } from '#web/ui/list-tools/column-edge.tsx';
import { ROW_HEIGHT } from '#web/ui/list-tools/use-rows-in-sight.ts';

/**
 * Pixels of the row headers, wide enough for the number of the last row and the button beside it. A large table is known
 * to be one with its first page, its exact count comes later: then nothing must move any more.
 */
export function rowHeaderWidth(rows: number): number {
  return rows < 10_000 ? 56 : 110;
}
const LINE_HEIGHT = 18;

/** Pixels of a column. */
export const WIDTHS: WidthLimits = { least: 64, most: 900 };

/** Pixels of a row with so many lines. */
export function rowHeightFor(lines: number): number {
  return ROW_HEIGHT + (lines - 1) * LINE_HEIGHT;
}

/** A text of several lines may stand in the column, so its editor takes line breaks. */
export function takesLines(column: Column, text: string): boolean {
  if (column.type !== 'text' || column.options) return false;
  return (column.maxLength ?? Number.POSITIVE_INFINITY) > 200 || /[\r\n]/.test(text);
}
