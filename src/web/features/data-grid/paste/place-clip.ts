import { columnsOf, type Rect, rowsOf } from '#web/grid/rects.ts';
import type { Clip } from './clip.ts';

/** The cells of the clipboard and their target. */
export interface PlacedClip {
  readonly cells: Clip;
  readonly target: Rect;
  /** columns of the clipboard beyond the last column of the grid */
  readonly cutOff: number;
}

/**
 * The target of a clip; it is repeated over a larger selection that is a multiple of its size.
 * @param maxRows limit for the rows created by repetition
 */
export function placeClip(rows: Clip, at: Rect, columnCount: number, maxRows: number): PlacedClip {
  const height = rows.length;
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const fits = rowsOf(at) % height === 0 && columnsOf(at) % width === 0;
  const repeated = fits && rowsOf(at) <= maxRows;
  const down = repeated ? rowsOf(at) / height : 1;
  const across = repeated ? columnsOf(at) / width : 1;
  const wide =
    across === 1 ? rows : rows.map((row) => Array.from({ length: across }, () => row).flat());
  const cells = down === 1 ? wide : Array.from({ length: down }, () => wide).flat();
  const end = at.left + width * across - 1;
  const right = Math.min(end, columnCount);
  const target: Rect = { ...at, bottom: at.top + cells.length - 1, right };
  return { cells, target, cutOff: end - right };
}
