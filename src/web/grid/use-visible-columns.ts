import { type Range, defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useMemo } from 'react';

interface Options {
  readonly scroller: RefObject<HTMLElement | null>;
  /** pixels of the row headers */
  readonly headerWidth: number;
  /** pixels, by column */
  readonly sizes: readonly number[];
  /** how many columns stay at the left */
  readonly frozen: number;
  /** the column that holds the keyboard, from 1; 0: none does */
  readonly focused: number;
}

/** Columns drawn beyond those in sight, so that scrolling finds them there. */
const OVERSCAN = 2;

export interface VisibleColumns {
  /** the columns to draw, from 1, ascending; the same array for as long as they are the same */
  readonly drawn: readonly number[];
  /** pixels from the left edge at which each frozen column stays */
  readonly lefts: readonly number[];
}

/** Which columns are drawn: those in sight, the frozen ones and the one that holds the keyboard. */
export function useVisibleColumns(options: Options): VisibleColumns {
  const { scroller, headerWidth, sizes, frozen, focused } = options;
  const lefts = useMemo(() => {
    let left = headerWidth;
    return sizes.slice(0, frozen).map((size) => (left += size) - size);
  }, [headerWidth, sizes, frozen]);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const always = Array.from({ length: frozen }, (_, i) => i);
      if (focused > 0 && focused <= range.count) always.push(focused - 1);
      const drawn = new Set([...always, ...defaultRangeExtractor(range)]);
      return [...drawn].sort((a, b) => a - b);
    },
    [frozen, focused],
  );
  // oxlint-disable-next-line react/incompatible-library -- nothing memoised takes its functions
  const virtual = useVirtualizer({
    horizontal: true,
    count: sizes.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => sizes[index] ?? 0,
    overscan: OVERSCAN,
    scrollMargin: headerWidth,
    rangeExtractor,
    useFlushSync: false,
  });
  useEffect(() => virtual.measure(), [virtual, sizes]);
  const written = virtual
    .getVirtualItems()
    .map(({ index }) => index + 1)
    .join(' ');
  const drawn = useMemo(() => (written === '' ? [] : written.split(' ').map(Number)), [written]);
  return useMemo(() => ({ drawn, lefts }), [drawn, lefts]);
}
