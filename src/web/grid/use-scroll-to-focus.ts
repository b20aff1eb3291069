import { type RefObject, useEffect, useRef } from 'react';
import type { GridFocus } from './grid-focus.ts';

interface ScrollToFocusOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly focus: GridFocus;
  /** whether a cell has the focus, not a whole row */
  readonly isOfCells: boolean;
  readonly scrollToRow: (row: number) => void;
  /** pixels of the row headers */
  readonly headerWidth: number;
  /** pixels, by column */
  readonly sizes: readonly number[];
  /** how many columns are pinned to the left edge */
  readonly frozen: number;
}

/** Scrolls what a move of the focus has reached into view, no further than needed. */
export function useScrollToFocus(options: ScrollToFocusOptions): void {
  const { scroller, focus, isOfCells, scrollToRow, headerWidth, sizes, frozen } = options;
  const { scrollTarget, active } = focus;
  const scrolledTo = useRef(scrollTarget);
  useEffect(() => {
    if (!active || scrolledTo.current === scrollTarget) return;
    scrolledTo.current = scrollTarget;
    const { row, col } = scrollTarget;
    if (row !== null && row >= 0) scrollToRow(row);
    const box = scroller.current;
    const scrollsSideways = isOfCells || focus.focus.row < 0;
    if (!box || col === null || col <= frozen || !scrollsSideways) return;
    const left = sumOf(sizes.slice(0, col - 1));
    const right = left + (sizes[col - 1] ?? 0) + headerWidth;
    const pinned = sumOf(sizes.slice(0, frozen));
    if (left - pinned < box.scrollLeft) box.scrollTo({ left: left - pinned });
    else if (right > box.scrollLeft + box.clientWidth) {
      box.scrollTo({ left: right - box.clientWidth });
    }
  });
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
