import { useVirtualizer, type VirtualizerOptions } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

type RowOptions = Pick<VirtualizerOptions<HTMLElement, Element>, 'count' | 'estimateSize'> &
  Partial<Pick<VirtualizerOptions<HTMLElement, Element>, 'overscan'>>;

/** The rows of a scrolling element that are in view, for lists whose rows are not those of a grid. */
export function useVirtualRows(scroller: RefObject<HTMLElement | null>, options: RowOptions) {
  // Its functions must not be memoized, and are not: no compiler runs over this project.
  // oxlint-disable-next-line react/incompatible-library
  return useVirtualizer({
    overscan: 8,
    ...options,
    getScrollElement: () => scroller.current,
    useFlushSync: false,
  });
}
