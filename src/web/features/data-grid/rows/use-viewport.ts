import { useRef, useState } from 'react';
import { PAGE_SIZE } from '../datasets.queries.ts';

/** The needed rows: the visible ones, and the next ones of a steady scroll. */
interface Viewport {
  /** the first visible row */
  readonly first: number;
  readonly from: number;
  readonly to: number;
}

export const VIEWPORT_AT_TOP: Viewport = { first: 0, from: 0, to: 0 };

/** Rows that are requested in advance: a third of a second of fast scrolling. */
const PREFETCHED_ROWS = 60;

/** The next viewport when rows `first` to `last` are visible. */
export function nextViewport(
  { first: before, from, to }: Viewport,
  first: number,
  last: number,
): Viewport {
  const step = first - before;
  // Without a movement the viewport stays the same; a jump has no direction.
  const leap = Math.abs(step) > last - first + 1;
  if (step === 0 && from <= first && to >= last) return { first, from, to };
  const ahead = leap || step === 0 ? 0 : Math.sign(step) * PREFETCHED_ROWS;
  return {
    first,
    from: Math.max(0, first + Math.min(0, ahead)),
    to: last + Math.max(0, ahead),
  };
}

/** Whether two viewports need rows of the same pages. */
export function samePages(one: Viewport, other: Viewport): boolean {
  const page = (row: number) => Math.floor(row / PAGE_SIZE);
  return page(one.from) === page(other.from) && page(one.to) === page(other.to);
}

/** The needed rows of the grid while it is scrolled. */
export function useViewport() {
  const inView = useRef(VIEWPORT_AT_TOP);
  const [requested, setRequested] = useState(VIEWPORT_AT_TOP);
  return {
    /** the rows in view, and those ahead of a steady scroll */
    inView,
    /** the rows whose pages are requested */
    requested,
    /** Rows `first` to `last` are visible now. @param total null: not known yet */
    onVisible: (first: number, last: number, total: number | null) => {
      const visible = nextViewport(inView.current, first, last);
      inView.current = {
        ...visible,
        to: Math.min(visible.to, Math.max(last, (total ?? 1) - 1)),
      };
      // Most scroll events end in the same pages: then only the rows are rendered again.
      if (!samePages(inView.current, requested)) setRequested(inView.current);
    },
  };
}
