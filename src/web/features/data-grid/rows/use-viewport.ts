import { useRef, useState } from 'react';
import { AT_TOP, nextViewport, samePages } from './viewport.ts';

/** The needed rows of the grid while it is scrolled. */
export function useViewport() {
  const inView = useRef(AT_TOP);
  const [requested, setRequested] = useState(AT_TOP);
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
