import { type CSSProperties, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import classes from './below-cell.module.css';
import { GRID_LAYER } from './grid-attributes.ts';

interface BelowCellProps {
  /** the cell, or its editor */
  readonly of: RefObject<HTMLElement | null>;
  /** pixels between the two */
  readonly gap: number;
  /** whether it floats above, as something else floats below */
  readonly isAbove?: boolean;
  readonly className: string | undefined;
  readonly id?: string;
  readonly style?: CSSProperties;
  readonly children: ReactNode;
}

/** Distance to the window's edges in pixels. */
const MARGIN = 5;

/**
 * Floats below a cell, or above it if there is no room, and follows it; hidden while the cell is out of view. It is
 * rendered next to the grid, within the page's main landmark, and takes no focus by itself.
 */
export function BelowCell(props: BelowCellProps) {
  const { of, gap, isAbove = false, className = '', id, style, children } = props;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    let frame = 0;
    // In each frame: not only scrolling moves a cell, and its position is cheap to read then.
    const follow = () => {
      if (box.current && of.current) positionBelow(box.current, of.current, gap, isAbove);
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [of, gap, isAbove]);
  return createPortal(
    <div ref={box} id={id} style={style} className={`${classes.below} ${className}`} data-grid-part>
      {children}
    </div>,
    document.querySelector(GRID_LAYER) ?? document.body,
  );
}

function positionBelow(box: HTMLElement, of: HTMLElement, gap: number, isAbove: boolean): void {
  const cell = of.getBoundingClientRect();
  const boxRect = box.getBoundingClientRect();
  const grid = of.closest('[role=grid]')?.getBoundingClientRect();
  const above = cell.top - gap - boxRect.height;
  const fits = !isAbove && cell.bottom + gap + boxRect.height <= innerHeight - MARGIN;
  const top = fits || above < MARGIN ? cell.bottom + gap : above;
  const left = Math.max(MARGIN, Math.min(cell.left, innerWidth - MARGIN - boxRect.width));
  const away =
    grid !== undefined &&
    (cell.bottom < grid.top ||
      cell.top > grid.bottom ||
      cell.right < grid.left ||
      cell.left > grid.right);
  box.style.visibility = away ? 'hidden' : 'visible';
  if (Math.abs(top - boxRect.top) < 1 && Math.abs(left - boxRect.left) < 1) return;
  // Relative to its present position: its containing block need not be the window.
  box.style.top = `${(Number.parseFloat(box.style.top) || 0) + top - boxRect.top}px`;
  box.style.left = `${(Number.parseFloat(box.style.left) || 0) + left - boxRect.left}px`;
}
