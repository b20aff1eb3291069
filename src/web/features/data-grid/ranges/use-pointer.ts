import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { selectedBlocks } from '#web/grid/grid-focus.ts';
import type { CellPosition, Rect } from '#web/grid/rects.ts';
import type { BlockActions } from './block-actions.ts';
import type { Grid } from '../use-grid.ts';
import { useLatest } from '#web/ui/use-latest.ts';

interface PointerOptions {
  readonly grid: Grid;
  readonly blockActions: BlockActions;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly canWrite: boolean;
}

/** Pixels per frame by which a pointer outside the grid scrolls it. */
const SCROLL_STEP = 24;

/** Selecting cells with the pointer: press, drag, Shift and Ctrl; and dragging the fill handle. */
export function usePointer({ grid, blockActions, scroller, canWrite }: PointerOptions) {
  const { state, dispatch, extent } = grid;
  const [fillDrag, setFillDrag] = useState<{ source: Rect; target: Rect | null } | null>(null);
  // Dragging takes time: the newest actions include what was saved meanwhile.
  const latest = useLatest(blockActions);
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);

  const positionOf = (target: EventTarget | null) => positionIn(scroller.current, target);
  const track = (onCell: (position: CellPosition) => void, onEnd: () => void = () => undefined) => {
    stop.current();
    stop.current = trackPointer(scroller, onCell, onEnd);
  };

  const startFillDrag = () => {
    const source = selectedBlocks(state).at(-1);
    if (!source) return;
    let target: Rect | null = null;
    setFillDrag({ source, target });
    track(
      (position) => {
        target = fillTarget(source, position);
        setFillDrag({ source, target });
      },
      () => {
        setFillDrag(null);
        if (target) latest.current.dragFill(source, target);
      },
    );
  };

  const onMouseDown = (event: MouseEvent) => {
    const position = positionOf(event.target);
    const isFocused =
      position && position.row === state.focus.row && position.col === state.focus.col;
    if (!position || event.button !== 0 || (state.editing && isFocused)) return;
    if (position.row < 0) return;
    if (event.target instanceof Element && event.target.closest('[data-fill-handle]')) {
      event.preventDefault();
      if (canWrite) startFillDrag();
      return;
    }
    if (position.col > 0 && event.shiftKey) {
      // Otherwise the browser would select text.
      event.preventDefault();
      dispatch({ do: 'extend', to: position, extent: extent() });
    } else if (position.col > 0 && (event.ctrlKey || event.metaKey)) {
      dispatch({ do: 'add', position, extent: extent() });
    } else grid.focusOn(position);
    if (position.col > 0) {
      track((to) => dispatch({ do: 'extend', to, extent: extent() }));
    }
  };

  return { positionOf, onMouseDown, fillRange: fillDrag?.target ?? null };
}

/** The position of the cell that contains an element; null: it is not in a cell of the grid. */
function positionIn(grid: HTMLElement | null, target: EventTarget | null): CellPosition | null {
  if (!(target instanceof Element)) return null;
  const cell = target.closest<HTMLElement>('[data-col]');
  if (!cell || !grid?.contains(cell)) return null;
  const row = cell.closest<HTMLElement>('[data-row]')?.dataset['row'];
  return { row: row === undefined ? -1 : Number(row), col: Number(cell.dataset['col']) };
}

/**
 * Follows the pointer from cell to cell until it is released; outside the grid it scrolls.
 * @returns stops it, without `onEnd`
 */
function trackPointer(
  scroller: RefObject<HTMLElement | null>,
  onCell: (position: CellPosition) => void,
  onEnd: () => void,
): () => void {
  const listening = new AbortController();
  let pointer: { x: number; y: number } | null = null;
  let last = '';
  let frame = 0;
  const trackFrame = () => {
    frame = requestAnimationFrame(trackFrame);
    const box = scroller.current;
    if (!pointer || !box) return;
    const position = positionIn(box, scrollTowards(box, pointer));
    if (!position || position.row < 0 || position.col < 1) return;
    const isFocused = `${position.row} ${position.col}`;
    if (isFocused === last) return;
    last = isFocused;
    onCell(position);
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    listening.abort();
  };
  const { signal } = listening;
  document.addEventListener(
    'mousemove',
    ({ clientX, clientY }) => {
      pointer = { x: clientX, y: clientY };
    },
    { signal },
  );
  document.addEventListener(
    'mouseup',
    () => {
      stop();
      onEnd();
    },
    { signal },
  );
  frame = requestAnimationFrame(trackFrame);
  return stop;
}

/** Scrolls the grid if the pointer is outside its cells. @returns the nearest element inside */
function scrollTowards(box: HTMLElement, { x, y }: { x: number; y: number }): Element | null {
  const edges = box.getBoundingClientRect();
  const head = box.querySelector('[role=columnheader]')?.getBoundingClientRect();
  const top = head?.bottom ?? edges.top;
  const left = head?.right ?? edges.left;
  const bottom = edges.top + box.clientHeight;
  const right = edges.left + box.clientWidth;
  if (y < top) box.scrollTop -= SCROLL_STEP;
  else if (y > bottom) box.scrollTop += SCROLL_STEP;
  if (x < left) box.scrollLeft -= SCROLL_STEP;
  else if (x > right) box.scrollLeft += SCROLL_STEP;
  return document.elementFromPoint(
    Math.min(Math.max(x, left + 2), right - 2),
    Math.min(Math.max(y, top + 2), bottom - 2),
  );
}

/** The cells that a handle dragged to a cell covers, on the side with the greatest distance; null: none. */
function fillTarget(source: Rect, { row, col }: CellPosition): Rect | null {
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
