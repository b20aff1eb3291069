import {
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createStore } from '#web/api/create-store.ts';
import { ROW_HEIGHT } from './row-height.ts';
import { createTallScroll } from './tall-scroll.ts';

/** Rows drawn beyond those in sight, so that scrolling finds them there. */
const OVERSCAN = 5;

interface Options {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** pixels of a row */
  readonly rowHeight: number;
  /** the row that holds the keyboard: it is drawn wherever one scrolls; -1: a header does */
  readonly focused: number;
  readonly onSight: (first: number, last: number) => void;
}

/**
 * Which rows are drawn, and where; over as many rows as a table has. All have one height, so it is reckoned: a
 * library that keeps the place of each takes long for a million. Nothing is measured while one scrolls.
 */
export function useVisibleRows({ scroller, count, rowHeight, focused, onSight }: Options) {
  const [tall] = useState(() => createTallScroll(() => scroller.current));
  const [top] = useState(() => createStore(0));
  const [window] = useState(() => createStore(0));
  const shift = useSyncExternalStore(tall.shift.subscribe, tall.shift.get);
  const first = useSyncExternalStore(top.subscribe, top.get);
  const windowHeight = useSyncExternalStore(window.subscribe, window.get);
  const height = count * rowHeight;

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    window.set(box.clientHeight);
    const observer = new ResizeObserver(() => window.set(box.clientHeight));
    observer.observe(box);
    return () => observer.disconnect();
  }, [scroller, window]);
  useLayoutEffect(() => tall.measure({ content: height + ROW_HEIGHT, window: windowHeight }));
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    return tall.observe(box, (at, scrolling) => {
      // Straight at the element: nothing is to be drawn anew for it.
      box.toggleAttribute('data-passing', scrolling && box.scrollLeft === 0);
      top.set(Math.floor(at / rowHeight));
    });
  }, [scroller, tall, top, rowHeight]);

  // What opens below the grid must not cover the row that one is in.
  const heightBefore = useRef(windowHeight);
  useLayoutEffect(() => {
    const before = heightBefore.current;
    heightBefore.current = windowHeight;
    const bottom = (focused + 1) * rowHeight + ROW_HEIGHT - tall.at();
    if (focused >= 0 && bottom <= before && bottom > windowHeight && windowHeight > 0) {
      tall.scrollTo(bottom + tall.at() - windowHeight);
    }
  });

  const fitting = Math.ceil(Math.max(0, windowHeight - ROW_HEIGHT) / rowHeight);
  const end = windowHeight === 0 ? -1 : Math.min(count - 1, first + fitting);
  const start = Math.max(0, Math.min(first, end));
  useEffect(() => {
    if (end >= 0) onSight(start, end);
  });

  const drawn: number[] = [];
  if (end >= 0) {
    const to = Math.min(count - 1, end + OVERSCAN);
    for (let row = Math.max(0, start - OVERSCAN); row <= to; row++) drawn.push(row);
    // The focused row stays, wherever one scrolls: it holds the keyboard and what is being typed.
    if (focused >= 0 && focused < count) {
      if (focused < (drawn[0] ?? 0)) drawn.unshift(focused);
      else if (focused > to) drawn.push(focused);
    }
  }

  const measure = () => tall.measure({ content: height + ROW_HEIGHT, window: windowHeight });
  return {
    /** pixels to give to the element that holds the rows */
    height: tall.elementHeight(height, ROW_HEIGHT),
    rows: drawn.map((index) => ({
      index,
      /** pixels from the top of that element */
      top: index * rowHeight - shift,
    })),
    /** Brings a row into sight, moving no further than needed. */
    scrollTo(row: number): void {
      measure();
      const top = row * rowHeight;
      const bottom = top + rowHeight + ROW_HEIGHT;
      if (top < tall.at()) tall.scrollTo(top);
      else if (bottom > tall.at() + windowHeight) tall.scrollTo(bottom - windowHeight);
    },
    /** Brings a row to the middle. */
    scrollToMiddle(row: number): void {
      measure();
      tall.scrollTo(row * rowHeight + ROW_HEIGHT - windowHeight / 2);
    },
  };
}
