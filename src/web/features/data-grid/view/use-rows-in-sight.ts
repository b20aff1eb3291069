import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type RefObject,
  useCallback,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { ROW_HEIGHT } from '../columns.ts';
import { createTallScroll } from './tall-scroll.ts';

/** Rows drawn beyond those in sight, so that scrolling finds them there. */
const OVERSCAN = 10;

interface Options {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** pixels of a row */
  readonly rowHeight: number;
  /** the row that holds the keyboard: it is drawn wherever one scrolls; -1: a header does */
  readonly focused: number;
  readonly onSight: (first: number, last: number) => void;
}

/** Which rows are drawn, and where; over as many rows as a table has. */
export function useRowsInSight({ scroller, count, rowHeight, focused, onSight }: Options) {
  const [tall] = useState(() => createTallScroll(() => scroller.current));
  const shift = useSyncExternalStore(tall.shift.subscribe, tall.shift.get);
  const height = count * rowHeight;
  const measure = () =>
    tall.measure({
      content: height + ROW_HEIGHT,
      window: scroller.current?.clientHeight ?? 0,
    });

  const rangeExtractor = useCallback(
    (range: Range) => {
      const inSight = defaultRangeExtractor(range);
      // The focused row stays, wherever one scrolls: it holds the keyboard and what is being typed.
      if (focused < 0 || focused >= range.count || inSight.includes(focused)) return inSight;
      return [...inSight, focused].sort((a, b) => a - b);
    },
    [focused],
  );
  // oxlint-disable-next-line react/incompatible-library -- nothing memoised takes its functions
  const virtual = useVirtualizer<HTMLElement, HTMLElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: ROW_HEIGHT,
    scrollPaddingStart: ROW_HEIGHT,
    rangeExtractor,
    // Moving the keyboard scrolls from within an effect, where nothing can be flushed at once.
    useFlushSync: false,
    observeElementOffset: ({ scrollElement }, listener) => {
      if (!scrollElement) return undefined;
      measure();
      return tall.observe(scrollElement, listener);
    },
    scrollToFn: (offset) => tall.scrollTo(offset),
    onChange: ({ range }) => range && onSight(range.startIndex, range.endIndex),
  });
  useLayoutEffect(measure);
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight]);

  return {
    /** pixels to give to the element that holds the rows */
    height: tall.elementHeight(height, ROW_HEIGHT),
    rows: virtual.getVirtualItems().map(({ index, start }) => ({
      index,
      /** pixels from the top of that element */
      top: start - ROW_HEIGHT - shift,
    })),
    /** Brings a row into sight, moving no further than needed. */
    scrollTo(row: number): void {
      measure();
      const window = scroller.current?.clientHeight ?? 0;
      const top = row * rowHeight;
      const bottom = top + rowHeight + ROW_HEIGHT;
      if (top < tall.at()) tall.scrollTo(top);
      else if (bottom > tall.at() + window) tall.scrollTo(bottom - window);
    },
    /** Brings a row to the middle. */
    scrollToMiddle(row: number): void {
      measure();
      const window = scroller.current?.clientHeight ?? 0;
      tall.scrollTo(row * rowHeight + ROW_HEIGHT - window / 2);
    },
  };
}
