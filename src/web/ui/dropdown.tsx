import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import classes from './dropdown.module.css';

interface DropdownProps {
  readonly anchor: RefObject<HTMLElement | null>;
  /** in pixels; by default at least that of the anchor */
  readonly width?: number;
  readonly children: ReactNode;
}

/** Pixels to the edges of the window. */
const MARGIN = 5;
/** Pixels to the anchor. */
const GAP = 3;

/**
 * Floats below an element, or above it if there is no room, in the browser's top layer: no pane clips it, and it
 * belongs to the landmark and the dialog in which it is rendered. It takes no focus by itself.
 */
export function Dropdown({ anchor, width, children }: DropdownProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Not in jsdom.
    if (box.current && 'showPopover' in box.current) box.current.showPopover();
    let frame = 0;
    // In each frame: not only scrolling moves an anchor.
    const follow = () => {
      if (box.current && anchor.current) placeBelow(box.current, anchor.current, width);
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [anchor, width]);
  return (
    <div ref={box} popover="manual" className={classes.dropdown}>
      {children}
    </div>
  );
}

function placeBelow(box: HTMLElement, anchor: HTMLElement, width: number | undefined): void {
  const target = anchor.getBoundingClientRect();
  setPixels(box, width === undefined ? 'minWidth' : 'width', width ?? target.width);
  const boxRect = box.getBoundingClientRect();
  const above = target.top - GAP - boxRect.height;
  const fits = target.bottom + GAP + boxRect.height <= innerHeight - MARGIN;
  setPixels(box, 'top', fits || above < MARGIN ? target.bottom + GAP : above);
  setPixels(
    box,
    'left',
    Math.max(MARGIN, Math.min(target.left, innerWidth - MARGIN - boxRect.width)),
  );
}

/** Writes only what changes, so that a frame without movement causes no layout. */
function setPixels(
  { style }: HTMLElement,
  property: 'left' | 'minWidth' | 'top' | 'width',
  value: number,
): void {
  const text = `${Math.round(value)}px`;
  if (style[property] !== text) style[property] = text;
}
