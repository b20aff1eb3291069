import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { type FlowSize, flowScale, placeFlow } from './flow-layout.ts';
import type { Zoom } from './page-layout.ts';
import { type PageSize, type Rotation, turned } from './page-source.ts';

interface FlowOptions {
  /** null: not known yet */
  readonly room: PageSize | null;
  readonly zoom: Zoom;
  readonly rotation: Rotation;
  /** the frame that part of it stands in, once it is read */
  readonly frame: HTMLIFrameElement | null;
}

/** Lays out a document without pages, on one sheet that is as long as it needs. */
export function useFlow({ room, zoom, rotation, frame }: FlowOptions) {
  const paper = useRef<HTMLDivElement>(null);
  const [needed, setNeeded] = useState<FlowSize>({ width: 1, height: 1, most: 1 });
  const [size, setSize] = useState<PageSize>({ width: 0, height: 0 });
  const [wide, setWide] = useState(0);
  const seen = turned(room ?? { width: 0, height: 0 }, rotation);
  const scale = room ? flowScale(zoom, needed, seen) : 1;
  const [width, height] = [seen.width / scale, seen.height / scale];
  const fits = typeof zoom !== 'number';

  useLayoutEffect(() => {
    const element = paper.current;
    if (!element || !fits || seen.width === 0) return;
    const found = neededBy(element, frame, seen.width);
    setNeeded(found);
  }, [paper, frame, fits, seen.width]);

  useLayoutEffect(() => {
    const element = paper.current;
    if (!element || width === 0) return undefined;
    const found = frame?.isConnected ? sizeFrame(frame, width) : width;
    setWide(found);
    const measure = () => setSize({ width: element.offsetWidth, height: element.offsetHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [paper, frame, width]);

  const { transform, ...place } = placeFlow(size, scale, rotation);
  // What is wider than the pane is scrolled with the sheet.
  const sheet = { transform, width: Math.max(width, wide), minHeight: height };
  return { paper, sheet, place, scale };
}

/** Keeps in view what was read when all is laid out anew; it begins where its text does. */
export function useSamePlace(
  pane: RefObject<HTMLElement | null>,
  { width, height }: PageSize,
  rotation: Rotation,
): () => void {
  const settling = useRef(false);
  const place = useRef<{ rotation: Rotation; left: number; top: number } | null>(null);
  useLayoutEffect(() => {
    const element = pane.current;
    if (!element || width === 0) return undefined;
    const same = place.current?.rotation === rotation ? place.current : null;
    // At its right end it begins by its direction (viewer.module.css).
    const { left, top } = same ?? { left: 0, top: rotation === 180 ? 1 : 0 };
    place.current = { rotation, left, top };
    const go = () =>
      element.scrollTo({
        left: left * beyond(width, element.clientWidth),
        top: top * beyond(height, element.clientHeight),
      });
    go();
    // Until the next frame Chromium may hold to what could be scrolled before.
    settling.current = true;
    const again = requestAnimationFrame(() => {
      go();
      settling.current = false;
    });
    return () => cancelAnimationFrame(again);
  }, [pane, width, height, rotation]);
  return () => {
    const element = pane.current;
    if (!element || settling.current || place.current?.rotation !== rotation) return;
    const wide = beyond(width, element.clientWidth);
    const high = beyond(height, element.clientHeight);
    // Where all of it is in sight, nobody has scrolled.
    if (wide > 0) place.current.left = element.scrollLeft / wide;
    if (high > 0) place.current.top = element.scrollTop / high;
  };
}

/** How much of a length is not in sight, in pixels. */
function beyond(length: number, seen: number): number {
  return Math.max(0, length - seen);
}

/** A line of so many characters is broken however small it is drawn, and takes long to measure. */
const ENDLESS_LINE = /[^\n]{1000}/;

function neededBy(paper: HTMLElement, frame: HTMLIFrameElement | null, width: number): FlowSize {
  const text = paper.querySelector('pre');
  const before = paper.style.cssText;
  paper.style.minHeight = '0';
  try {
    if (frame?.isConnected) {
      const wide = sizeFrame(frame, width);
      paper.style.width = `${wide}px`;
      return { width: wide, height: paper.offsetHeight, most: 1 };
    }
    if (!text || ENDLESS_LINE.test(text.textContent)) {
      return { width: Infinity, height: Infinity, most: 1 };
    }
    text.style.cssText = 'white-space: pre; width: max-content';
    // Parts of pixels are not told.
    const wide = text.offsetWidth + 1;
    paper.style.width = `${wide}px`;
    return { width: wide, height: paper.offsetHeight, most: 2 };
  } finally {
    paper.style.cssText = before;
    if (text) text.style.cssText = '';
  }
}

/** Makes a frame as high as what is in it, so that nothing scrolls within it. @returns how wide what is in it is */
function sizeFrame(frame: HTMLIFrameElement, width: number): number {
  // Of the height that it has, what is in it could take a part.
  frame.style.cssText = `flex: none; height: 0; width: ${width}px`;
  const root = frame.contentDocument?.documentElement;
  const wide = Math.max(width, root?.scrollWidth ?? 0);
  frame.style.width = `${wide}px`;
  const height = root?.scrollHeight ?? 0;
  frame.style.cssText = `width: ${wide}px; height: ${height}px`;
  return wide;
}
