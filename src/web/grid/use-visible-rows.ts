import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from '#web/api/use-store.ts';
import { createStore } from '#web/api/create-store.ts';
import { createScaledScroll } from './scaled-scroll.ts';

/** Rows rendered before and after those in view, for scrolling. */
const OVERSCAN = 5;

interface VisibleRowsOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** pixels of a row */
  readonly rowHeight: number;
  /** pixels of the headings, which stay above the rows */
  readonly headHeight: number;
  /** the row with the focus, which is always rendered; -1: a heading has it */
  readonly focused: number;
  /** gets the first and last row in view after each change */
  readonly onVisible: (first: number, last: number) => void;
}

/**
 * Which rows are rendered, and where. All rows have the same height, so their positions are computed: a list of
 * measurements (as in TanStack Virtual) would be rebuilt for a million rows with each added row. Nothing is measured
 * while scrolling.
 */
export function useVisibleRows(options: VisibleRowsOptions) {
  const { scroller, count, rowHeight, headHeight, focused, onVisible } = options;
  const [scaledScroll] = useState(() => createScaledScroll(() => scroller.current));
  const [top] = useState(() => createStore(0));
  const [window] = useState(() => createStore(0));
  const shift = useStore(scaledScroll.shift);
  const first = useStore(top);
  const windowHeight = useStore(window);
  const height = count * rowHeight;

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    window.set(box.clientHeight);
    const observer = new ResizeObserver(() => window.set(box.clientHeight));
    observer.observe(box);
    return () => observer.disconnect();
  }, [scroller, window]);
  const measure = () =>
    scaledScroll.measure({ content: height + headHeight, window: windowHeight });
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    return scaledScroll.observe(box, (at, scrolling) => {
      // Set on the element directly, so that React does not render for it.
      box.toggleAttribute('data-passing', scrolling && box.scrollLeft === 0);
      top.set(Math.floor(at / rowHeight));
    });
  }, [scroller, scaledScroll, top, rowHeight]);

  // A panel that opens below the grid must not cover the focused row.
  const heightBefore = useRef(windowHeight);
  useLayoutEffect(() => {
    const before = heightBefore.current;
    heightBefore.current = windowHeight;
    const bottom = (focused + 1) * rowHeight + headHeight - scaledScroll.at();
    if (focused >= 0 && bottom <= before && bottom > windowHeight && windowHeight > 0) {
      scaledScroll.scrollTo(bottom + scaledScroll.at() - windowHeight);
    }
  });

  const fitting = Math.ceil(Math.max(0, windowHeight - headHeight) / rowHeight);
  const end = windowHeight === 0 ? -1 : Math.min(count - 1, first + fitting);
  const start = Math.max(0, Math.min(first, end));
  useEffect(() => {
    if (end >= 0) onVisible(start, end);
  });

  const drawn: number[] = [];
  if (end >= 0) {
    const to = Math.min(count - 1, end + OVERSCAN);
    for (let row = Math.max(0, start - OVERSCAN); row <= to; row++) drawn.push(row);
    // The focused row is always rendered, because it contains the focus and the editor.
    if (focused >= 0 && focused < count) {
      if (focused < (drawn[0] ?? 0)) drawn.unshift(focused);
      else if (focused > to) drawn.push(focused);
    }
  }

  return {
    /** the height in pixels of the element that contains the rows */
    height: scaledScroll.elementHeight(height, headHeight),
    rows: drawn.map((index) => ({
      index,
      /** pixels from the top of that element */
      top: index * rowHeight - shift,
    })),
    /** Scrolls a row into view, no further than needed. */
    scrollTo(row: number): void {
      measure();
      const top = row * rowHeight;
      const bottom = top + rowHeight + headHeight;
      if (top < scaledScroll.at()) scaledScroll.scrollTo(top);
      else if (bottom > scaledScroll.at() + windowHeight)
        scaledScroll.scrollTo(bottom - windowHeight);
    },
    scrollToTop(): void {
      scaledScroll.scrollTo(0);
    },
    /** Scrolls a row to the middle. */
    scrollToMiddle(row: number): void {
      measure();
      scaledScroll.scrollTo(row * rowHeight + headHeight - windowHeight / 2);
    },
  };
}
