/** Row -1 contains the headers, column 0 the row headers; columns of the table count from 1. */
export interface CellPosition {
  readonly row: number;
  readonly col: number;
}

/** Rows and columns of a grid, without headers. */
export interface Extent {
  readonly rows: number;
  readonly cols: number;
}

/** A block of cells, all edges inclusive; rows from 0, columns of the table from 1. */
export interface Rect {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export function rectOf(a: CellPosition, b: CellPosition): Rect {
  return {
    top: Math.max(0, Math.min(a.row, b.row)),
    left: Math.max(1, Math.min(a.col, b.col)),
    bottom: Math.max(a.row, b.row),
    right: Math.max(a.col, b.col),
  };
}

export function containsCell(
  { top, left, bottom, right }: Rect,
  { row, col }: CellPosition,
): boolean {
  return row >= top && row <= bottom && col >= left && col <= right;
}

export function rowsOf({ top, bottom }: Rect): number {
  return bottom - top + 1;
}

export function columnsOf({ left, right }: Rect): number {
  return right - left + 1;
}

export function isSingle(rects: readonly Rect[]): boolean {
  const [only, another] = rects;
  return !only || (!another && only.top === only.bottom && only.left === only.right);
}

/** The part of a block within the grid; null: nothing. */
export function clipToGrid(rect: Rect, { rows, cols }: Extent): Rect | null {
  const bottom = Math.min(rect.bottom, rows - 1);
  const right = Math.min(rect.right, cols);
  return bottom < rect.top || right < rect.left ? null : { ...rect, bottom, right };
}

/** The number of cells in several blocks; overlapping cells count once. */
export function cellCount(rects: readonly Rect[]): number {
  return disjoint(rects).reduce((sum, rect) => sum + rowsOf(rect) * columnsOf(rect), 0);
}

/** The same cells as disjoint blocks. */
export function disjoint(rects: readonly Rect[]): readonly Rect[] {
  if (rects.length < 2) return rects;
  const edges = [...new Set(rects.flatMap(({ left, right }) => [left, right + 1]))].sort(
    (a, b) => a - b,
  );
  // Between two adjacent edges the same blocks cover all columns.
  return edges.slice(0, -1).flatMap((left, i) => {
    const right = (edges[i + 1] ?? left + 1) - 1;
    const across = rects
      .filter((rect) => rect.left <= left && rect.right >= right)
      .sort((a, b) => a.top - b.top);
    const spans: { top: number; bottom: number }[] = [];
    for (const { top, bottom } of across) {
      const last = spans.at(-1);
      if (last && top <= last.bottom + 1) last.bottom = Math.max(last.bottom, bottom);
      else spans.push({ top, bottom });
    }
    return spans.map((span) => ({ ...span, left, right }));
  });
}

/**
 * The selected columns of a row, as a short text that is equal while the selection is: rows compare it to decide
 * whether to render again. null: none.
 */
export function encodeRowSelection(rects: readonly Rect[], row: number): string | null {
  const marks = rects.filter(({ top, bottom }) => row >= top && row <= bottom);
  return marks.length === 0 ? null : marks.map(({ left, right }) => `${left}-${right}`).join(' ');
}

/** Reads what `encodeRowSelection` wrote: whether a column is selected. */
export function decodeRowSelection(marks: string | null): (col: number) => boolean {
  const spans = (marks ?? '')
    .split(' ')
    .filter(Boolean)
    .map((span) => span.split('-').map(Number));
  return (col) => spans.some(([left = 0, right = 0]) => col >= left && col <= right);
}
