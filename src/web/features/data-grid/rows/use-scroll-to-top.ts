import { type RefObject, useEffect, useRef } from 'react';

/**
 * Scrolls to the first row when another list is shown.
 * @param listed identifies the list: its search, filter and order
 */
export function useScrollToTop(scroller: RefObject<HTMLElement | null>, listed: string): void {
  const shown = useRef(listed);
  useEffect(() => {
    if (shown.current === listed) return;
    shown.current = listed;
    scroller.current?.scrollTo({ top: 0 });
  }, [scroller, listed]);
}
