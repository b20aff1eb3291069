import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

/**
 * The rows of a scrolling element that are in view, for lists whose rows are not those of a grid.
 * @param rowHeight in pixels
 */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
) {
  // Its functions must not be memoized, and are not: no compiler runs over this project.
  // oxlint-disable-next-line react/incompatible-library
  return useVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: 8,
    getScrollElement: () => scroller.current,
    useFlushSync: false,
  });
}
