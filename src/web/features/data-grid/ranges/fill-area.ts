import { columnsOf, type Rect, rowsOf } from '#web/grid/rects.ts';

/** A block, and the adjacent cells into which it is continued. */
export interface FillArea {
  readonly source: Rect;
  readonly target: Rect;
}

/**
 * The spread of a block's first row (column) over its others; for a single row (column), of the previous one over it.
 * @returns null if there is none before it
 */
export function fillAreaWithin(block: Rect, to: 'down' | 'right'): FillArea | null {
  const down = to === 'down';
  const isSingle = (down ? rowsOf(block) : columnsOf(block)) === 1;
  const first = (down ? block.top : block.left) - (isSingle ? 1 : 0);
  if (first < (down ? 0 : 1)) return null;
  const rest = { ...block, ...(down ? { top: first + 1 } : { left: first + 1 }) };
  const source = down
    ? { ...block, top: first, bottom: first }
    : { ...block, left: first, right: first };
  return { source, target: rest };
}

/** The smallest block that contains both. */
export function boundingBlock({ source, target }: FillArea): Rect {
  return {
    top: Math.min(source.top, target.top),
    left: Math.min(source.left, target.left),
    bottom: Math.max(source.bottom, target.bottom),
    right: Math.max(source.right, target.right),
  };
}
