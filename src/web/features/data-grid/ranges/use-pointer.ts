import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { selectedBlocks } from '#web/grid/grid-focus.ts';
import type { Place, Rect } from '#web/grid/rects.ts';
import type { BlockActs } from './use-block-acts.ts';
import type { Grid } from '../use-grid.ts';

interface PointerOptions {
  readonly grid: Grid;
  readonly acts: BlockActs;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly canWrite: boolean;
}

/** Pixels per frame by which a pointer outside the grid scrolls it. */
const SCROLL_STEP = 24;

/** Selecting cells with the pointer: press, drag, Shift and Ctrl; and dragging the fill handle. */
export function usePointer({ grid, acts, scroller, canWrite }: PointerOptions) {
  const { state, dispatch, extent } = grid;
  const [pull, setPull] = useState<{ source: Rect; target: Rect | null } | null>(null);
  // Dragging takes time: the newest actions include what was saved meanwhile.
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);

  const placeOf = (target: EventTarget | null): Place | null => {
    if (!(target instanceof Element)) return null;
    const cell = target.closest<HTMLElement>('[data-col]');
    if (!cell || !scroller.current?.contains(cell)) return null;
    const row = cell.closest<HTMLElement>('[data-row]')?.dataset['row'];
    return { row: row === undefined ? -1 : Number(row), col: Number(cell.dataset['col']) };
  };

  /** Follows the pointer from cell to cell until it is released; outside the grid it scrolls. */
  const follow = (onPlace: (place: Place) => void, onEnd: () => void) => {
    stop.current();
    let pointer: { x: number; y: number } | null = null;
    let last = '';
    let frame = 0;
    const look = () => {
      frame = requestAnimationFrame(look);
      const box = scroller.current;
      if (!pointer || !box) return;
      const edges = box.getBoundingClientRect();
      const { x, y } = pointer;
      const head = box.querySelector('[role=columnheader]')?.getBoundingClientRect();
      const top = head?.bottom ?? edges.top;
      const left = head?.right ?? edges.left;
      const bottom = edges.top + box.clientHeight;
      const right = edges.left + box.clientWidth;
      if (y < top) box.scrollTop -= SCROLL_STEP;
      else if (y > bottom) box.scrollTop += SCROLL_STEP;
      if (x < left) box.scrollLeft -= SCROLL_STEP;
      else if (x > right) box.scrollLeft += SCROLL_STEP;
      const under = document.elementFromPoint(
        Math.min(Math.max(x, left + 2), right - 2),
        Math.min(Math.max(y, top + 2), bottom - 2),
      );
      const place = placeOf(under);
      if (!place || place.row < 0 || place.col < 1) return;
      const here = `${place.row} ${place.col}`;
      if (here === last) return;
      last = here;
      onPlace(place);
    };
    const onMove = ({ clientX, clientY }: globalThis.MouseEvent) => {
      pointer = { x: clientX, y: clientY };
    };
    const ended = () => {
      stop.current();
      onEnd();
    };
    document.addEventListener('mousemove', onMove);
    document.addEventListener('mouseup', ended);
    frame = requestAnimationFrame(look);
    stop.current = () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('mousemove', onMove);
      document.removeEventListener('mouseup', ended);
      stop.current = () => undefined;
    };
  };

  const pullHandle = () => {
    const source = selectedBlocks(state).at(-1);
    if (!source) return;
    let target: Rect | null = null;
    setPull({ source, target });
    follow(
      (place) => {
        target = beside(source, place);
        setPull({ source, target });
      },
      () => {
        setPull(null);
        if (target) latest.current.pull(source, target);
      },
    );
  };

  const onMouseDown = (event: MouseEvent) => {
    const place = placeOf(event.target);
    const here = place && place.row === state.focus.row && place.col === state.focus.col;
    if (!place || event.button !== 0 || (state.editing && here)) return;
    if (place.row < 0) return;
    if (event.target instanceof Element && event.target.closest('[data-fill-handle]')) {
      event.preventDefault();
      if (canWrite) pullHandle();
      return;
    }
    if (place.col > 0 && event.shiftKey) {
      // Otherwise the browser would select text.
      event.preventDefault();
      dispatch({ do: 'extend', to: place, extent: extent() });
    } else if (place.col > 0 && (event.ctrlKey || event.metaKey)) {
      dispatch({ do: 'add', place, extent: extent() });
    } else dispatch({ do: 'focus', place, extent: extent() });
    if (place.col > 0) {
      follow(
        (to) => dispatch({ do: 'extend', to, extent: extent() }),
        () => undefined,
      );
    }
  };

  return { placeOf, onMouseDown, pulled: pull?.target ?? null };
}

/** The cells that a handle dragged to a place covers, on the side with the greatest distance; null: none. */
function beside(source: Rect, { row, col }: Place): Rect | null {
  const down = Math.max(row - source.bottom, source.top - row, 0);
  const across = Math.max(col - source.right, source.left - col, 0);
  if (down === 0 && across === 0) return null;
  if (down >= across) {
    return row > source.bottom
      ? { ...source, top: source.bottom + 1, bottom: row }
      : { ...source, top: row, bottom: source.top - 1 };
  }
  return col > source.right
    ? { ...source, left: source.right + 1, right: col }
    : { ...source, left: col, right: source.left - 1 };
}
