import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import classes from './dropdown.module.css';

export interface DropdownProps {
  readonly anchor: RefObject<HTMLElement | null>;
  /** in pixels, or that of its content; by default at least that of the anchor */
  readonly width?: number | 'content' | undefined;
  /** whether it floats above, as something else floats below */
  readonly isAbove?: boolean;
  readonly className?: string | undefined;
  readonly id?: string;
  readonly children: ReactNode;
}

/** Pixels to the edges of the window. */
const MARGIN = 5;
/** Pixels to the anchor. */
const GAP = 3;

/**
 * Floats below an element, or above it if there is no room, in the browser's top layer: no pane clips it, and it
 * belongs to the landmark and the dialog in which it is rendered. It is hidden while its anchor is out of view in a
 * grid, and takes no focus by itself.
 */
export function Dropdown(props: DropdownProps) {
  const { anchor, width, isAbove = false, className = '', id, children } = props;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Not in jsdom.
    if (box.current && 'showPopover' in box.current) box.current.showPopover();
    let frame = 0;
    // In each frame: not only scrolling moves an anchor.
    const follow = () => {
      if (box.current && anchor.current) place(box.current, anchor.current, { width, isAbove });
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [anchor, width, isAbove]);
  return (
    <div ref={box} id={id} popover="manual" className={`${classes.dropdown} ${className}`}>
      {children}
    </div>
  );
}

function place(
  box: HTMLElement,
  anchor: HTMLElement,
  { width, isAbove }: Pick<DropdownProps, 'width' | 'isAbove'>,
): void {
  const target = anchor.getBoundingClientRect();
  if (width === undefined) setStyle(box, 'minWidth', pixels(target.width));
  else if (width !== 'content') setStyle(box, 'width', pixels(width));
  const boxRect = box.getBoundingClientRect();
  const above = target.top - GAP - boxRect.height;
  const fits = !isAbove && target.bottom + GAP + boxRect.height <= innerHeight - MARGIN;
  const left = Math.min(target.left, innerWidth - MARGIN - boxRect.width);
  setStyle(box, 'top', pixels(fits || above < MARGIN ? target.bottom + GAP : above));
  setStyle(box, 'left', pixels(Math.max(MARGIN, left)));
  setStyle(box, 'visibility', isScrolledAway(anchor, target) ? 'hidden' : 'visible');
}

function isScrolledAway(anchor: HTMLElement, { top, right, bottom, left }: DOMRect): boolean {
  const grid = anchor.closest('[role=grid]')?.getBoundingClientRect();
  if (!grid) return false;
  return bottom < grid.top || top > grid.bottom || right < grid.left || left > grid.right;
}

const pixels = (length: number) => `${Math.round(length)}px`;

/** Writes only what changes, so that a frame without movement causes no layout. */
function setStyle(
  { style }: HTMLElement,
  property: 'left' | 'minWidth' | 'top' | 'visibility' | 'width',
  value: string,
): void {
  if (style[property] !== value) style[property] = value;
}
