import { useRef, useState } from 'react';
import { AT_TOP, nextViewport, samePages } from './viewport.ts';

/** The needed rows of the grid while it is scrolled. */
export function useViewport() {
  const current = useRef(AT_TOP);
  const [requested, setRequested] = useState(AT_TOP);
  return {
    current,
    /** the rows whose pages are requested */
    requested,
    /** Rows `first` to `last` are visible now. @param total null: not known yet */
    onVisible: (first: number, last: number, total: number | null) => {
      const visible = nextViewport(current.current, first, last);
      current.current = {
        ...visible,
        to: Math.min(visible.to, Math.max(last, (total ?? 1) - 1)),
      };
      // Most scroll events end in the same pages: then only the rows are rendered again.
      if (!samePages(current.current, requested)) setRequested(current.current);
    },
  };
}
