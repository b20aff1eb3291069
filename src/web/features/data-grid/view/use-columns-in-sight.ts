import { type RefObject, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { watched } from '#web/api/watched.ts';

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

export interface ColumnsInSight {
  /** the columns to draw, from 1, ascending; the same array for as long as they are the same */
  readonly drawn: readonly number[];
  /** pixels from the left edge at which each frozen column stays */
  readonly lefts: readonly number[];
}

/** Which columns are drawn: those in sight, the frozen ones and the one that holds the keyboard. */
export function useColumnsInSight(options: Options): ColumnsInSight {
  const { scroller, headerWidth, sizes, frozen, focused } = options;
  const lefts = useMemo(
    () => [headerWidth, ...endsOf(sizes, headerWidth)].slice(0, frozen),
    [headerWidth, sizes, frozen],
  );
  const [inSight] = useState(() => watched(''));
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    let width = box.clientWidth;
    // As words, which stay the same for most steps of scrolling: nothing is drawn anew then.
    const look = () => inSight.set(spanOf(sizes, headerWidth, box.scrollLeft, width).join(' '));
    look();
    const observer = new ResizeObserver(() => {
      width = box.clientWidth;
      look();
    });
    observer.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [scroller, inSight, sizes, headerWidth]);
  const span = useSyncExternalStore(inSight.subscribe, inSight.get);
  const drawn = useMemo(() => {
    if (span === '') return [];
    const [first = 0, last = 0] = span.split(' ').map(Number);
    return sizes.flatMap((_, at) => {
      const here = at >= first - OVERSCAN && at <= last + OVERSCAN;
      return here || at < frozen || at === focused - 1 ? at + 1 : [];
    });
  }, [span, sizes, frozen, focused]);
  return useMemo(() => ({ drawn, lefts }), [drawn, lefts]);
}

/** Where each column ends. */
function endsOf(sizes: readonly number[], from: number): readonly number[] {
  let right = from;
  return sizes.map((size) => (right += size));
}

/** The first and the last column, from 0, between two places. */
function spanOf(sizes: readonly number[], from: number, left: number, width: number) {
  const ends = endsOf(sizes, from);
  const first = ends.findIndex((end) => end > left);
  const last = ends.findIndex((end) => end >= left + width);
  const end = sizes.length - 1;
  return [first < 0 ? end : first, last < 0 ? end : last];
}
