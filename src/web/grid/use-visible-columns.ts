import { type Range, defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useMemo } from 'react';

interface VisibleColumnsOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  /** pixels of the row headers */
  readonly headerWidth: number;
  /** pixels, by column */
  readonly sizes: readonly number[];
  /** how many columns are pinned to the left edge */
  readonly frozen: number;
  /** the column with the focus, from 1, which is always drawn; 0: none has it */
  readonly focused: number;
  /** renders all columns: if rows have the focus, assistive technology reads a whole row */
  readonly rendersAll: boolean;
}

/** Columns rendered before and after those in view, for scrolling. */
const OVERSCAN = 2;

export interface VisibleColumns {
  /** the columns to draw, from 1, ascending; the same array while they are the same */
  readonly renderedColumns: readonly number[];
  /** the left offset in pixels of each pinned column */
  readonly pinnedOffsets: readonly number[];
}

/** Which columns are rendered: all, or those in view, the pinned ones and the focused one. */
export function useVisibleColumns(options: VisibleColumnsOptions): VisibleColumns {
  const { scroller, headerWidth, sizes, frozen, focused, rendersAll } = options;
  const pinnedOffsets = useMemo(() => {
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
    overscan: rendersAll ? sizes.length : OVERSCAN,
    scrollMargin: headerWidth,
    rangeExtractor,
    useFlushSync: false,
  });
  useEffect(() => virtual.measure(), [virtual, sizes]);
  const written = virtual
    .getVirtualItems()
    .map(({ index }) => index + 1)
    .join(' ');
  const renderedColumns = useMemo(
    () => (written === '' ? [] : written.split(' ').map(Number)),
    [written],
  );
  return useMemo(() => ({ renderedColumns, pinnedOffsets }), [renderedColumns, pinnedOffsets]);
}
