import { type RefObject, useLayoutEffect, useState } from 'react';
import type { PageSize } from './page-source.ts';

/** The visible size of a pane in CSS pixels; null until it was laid out. */
export function usePaneSize(pane: RefObject<HTMLElement | null>): PageSize | null {
  const [paneSize, setPaneSize] = useState<PageSize | null>(null);
  useLayoutEffect(() => {
    const element = pane.current;
    if (!element) return undefined;
    const measure = () => setPaneSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [pane]);
  return paneSize;
}
