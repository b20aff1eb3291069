import type { Rect } from '#web/grid/rects.ts';

/** A block, and the adjacent cells into which it is continued. */
export interface Spread {
  readonly source: Rect;
  readonly target: Rect;
}

/** The smallest block that contains both. */
export function wholeOf({ source, target }: Spread): Rect {
  return {
    top: Math.min(source.top, target.top),
    left: Math.min(source.left, target.left),
    bottom: Math.max(source.bottom, target.bottom),
    right: Math.max(source.right, target.right),
  };
}

/** The whole numbers of a range, inclusive. */
export function span(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
