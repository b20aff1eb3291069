import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { selectedBlocks } from '#web/grid/grid-focus.ts';
import type { CellPosition, Rect } from '#web/grid/rects.ts';
import type { BlockActions } from './use-block-actions.ts';
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

  const positionOf = (target: EventTarget | null): CellPosition | null => {
    if (!(target instanceof Element)) return null;
    const cell = target.closest<HTMLElement>('[data-col]');
    if (!cell || !scroller.current?.contains(cell)) return null;
    const row = cell.closest<HTMLElement>('[data-row]')?.dataset['row'];
    return { row: row === undefined ? -1 : Number(row), col: Number(cell.dataset['col']) };
  };

  /** Follows the pointer from cell to cell until it is released; outside the grid it scrolls. */
  const trackPointer = (onCell: (position: CellPosition) => void, onEnd: () => void) => {
    stop.current();
    let pointer: { x: number; y: number } | null = null;
    let last = '';
    let frame = 0;
    const trackFrame = () => {
      frame = requestAnimationFrame(trackFrame);
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
      const position = positionOf(under);
      if (!position || position.row < 0 || position.col < 1) return;
      const here = `${position.row} ${position.col}`;
      if (here === last) return;
      last = here;
      onCell(position);
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
    frame = requestAnimationFrame(trackFrame);
    stop.current = () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('mousemove', onMove);
      document.removeEventListener('mouseup', ended);
      stop.current = () => undefined;
    };
  };

  const startFillDrag = () => {
    const source = selectedBlocks(state).at(-1);
    if (!source) return;
    let target: Rect | null = null;
    setFillDrag({ source, target });
    trackPointer(
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
    const here = position && position.row === state.focus.row && position.col === state.focus.col;
    if (!position || event.button !== 0 || (state.editing && here)) return;
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
      trackPointer(
        (to) => dispatch({ do: 'extend', to, extent: extent() }),
        () => undefined,
      );
    }
  };

  return { positionOf, onMouseDown, fillRange: fillDrag?.target ?? null };
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
