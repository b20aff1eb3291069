import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { type FlowSize, flowScale, placeFlow } from './flow-layout.ts';
import type { Zoom } from './page-layout.ts';
import { type PageSize, type Rotation, rotatedSize } from './page-source.ts';

interface FlowOptions {
  /** null: unknown */
  readonly paneSize: PageSize | null;
  readonly zoom: Zoom;
  readonly rotation: Rotation;
  /** the frame that contains part of it, once it is loaded */
  readonly frame: HTMLIFrameElement | null;
}

/** The layout of a document without pages, on one sheet of the needed length. */
export function useFlow({ paneSize, zoom, rotation, frame }: FlowOptions) {
  const paper = useRef<HTMLDivElement>(null);
  const [needed, setNeeded] = useState<FlowSize>({ width: 1, height: 1, maxScale: 1 });
  const [size, setSize] = useState<PageSize>({ width: 0, height: 0 });
  const [contentWidth, setContentWidth] = useState(0);
  const visible = rotatedSize(paneSize ?? { width: 0, height: 0 }, rotation);
  const scale = paneSize ? flowScale(zoom, needed, visible) : 1;
  const [width, height] = [visible.width / scale, visible.height / scale];
  const fits = typeof zoom !== 'number';

  useLayoutEffect(() => {
    const element = paper.current;
    if (!element || !fits || visible.width === 0) return;
    const found = neededBy(element, frame, visible.width);
    setNeeded(found);
  }, [paper, frame, fits, visible.width]);

  useLayoutEffect(() => {
    const element = paper.current;
    if (!element || width === 0) return undefined;
    const found = frame?.isConnected ? sizeFrame(frame, width) : width;
    setContentWidth(found);
    const measure = () => setSize({ width: element.offsetWidth, height: element.offsetHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [paper, frame, width]);

  const { transform, ...area } = placeFlow(size, scale, rotation);
  // Content wider than the pane is scrolled with the sheet.
  const sheet = { transform, width: Math.max(width, contentWidth), minHeight: height };
  return { paper, sheet, area, scale };
}

/** Keeps the reading position when the layout changes; initially it is the beginning of the text. */
export function useKeepScrollPosition(
  pane: RefObject<HTMLElement | null>,
  { width, height }: PageSize,
  rotation: Rotation,
): () => void {
  const settling = useRef(false);
  const scrollPosition = useRef<{ rotation: Rotation; left: number; top: number } | null>(null);
  useLayoutEffect(() => {
    const element = pane.current;
    if (!element || width === 0) return undefined;
    const same = scrollPosition.current?.rotation === rotation ? scrollPosition.current : null;
    // At its right end the text begins according to its direction (viewer.module.css).
    const { left, top } = same ?? { left: 0, top: rotation === 180 ? 1 : 0 };
    scrollPosition.current = { rotation, left, top };
    const restorePosition = () =>
      element.scrollTo({
        left: left * overflowOf(width, element.clientWidth),
        top: top * overflowOf(height, element.clientHeight),
      });
    restorePosition();
    // Until the next frame Chromium may use the previous scroll range.
    settling.current = true;
    const again = requestAnimationFrame(() => {
      restorePosition();
      settling.current = false;
    });
    return () => cancelAnimationFrame(again);
  }, [pane, width, height, rotation]);
  return () => {
    const element = pane.current;
    if (!element || settling.current || scrollPosition.current?.rotation !== rotation) return;
    const contentWidth = overflowOf(width, element.clientWidth);
    const high = overflowOf(height, element.clientHeight);
    // If everything is visible, the user has not scrolled.
    if (contentWidth > 0) scrollPosition.current.left = element.scrollLeft / contentWidth;
    if (high > 0) scrollPosition.current.top = element.scrollTop / high;
  };
}

/** How much of a length is not visible, in pixels. */
function overflowOf(length: number, visible: number): number {
  return Math.max(0, length - visible);
}

/** A line of this many characters is wrapped at any scale, and takes long to measure. */
const ENDLESS_LINE = /[^\n]{1000}/;

function neededBy(paper: HTMLElement, frame: HTMLIFrameElement | null, width: number): FlowSize {
  const text = paper.querySelector('pre');
  const before = paper.style.cssText;
  paper.style.minHeight = '0';
  try {
    if (frame?.isConnected) {
      const contentWidth = sizeFrame(frame, width);
      paper.style.width = `${contentWidth}px`;
      return { width: contentWidth, height: paper.offsetHeight, maxScale: 1 };
    }
    if (!text || ENDLESS_LINE.test(text.textContent)) {
      return { width: Infinity, height: Infinity, maxScale: 1 };
    }
    text.style.cssText = 'white-space: pre; width: max-content';
    // Fractions of pixels are not reported.
    const contentWidth = text.offsetWidth + 1;
    paper.style.width = `${contentWidth}px`;
    return { width: contentWidth, height: paper.offsetHeight, maxScale: 2 };
  } finally {
    paper.style.cssText = before;
    if (text) text.style.cssText = '';
  }
}

/** Sets the height of a frame to that of its content, so that it does not scroll. @returns the width of its content */
function sizeFrame(frame: HTMLIFrameElement, width: number): number {
  // The content may depend on the height of the frame.
  frame.style.cssText = `flex: none; height: 0; width: ${width}px`;
  const root = frame.contentDocument?.documentElement;
  const contentWidth = Math.max(width, root?.scrollWidth ?? 0);
  frame.style.width = `${contentWidth}px`;
  const height = root?.scrollHeight ?? 0;
  frame.style.cssText = `width: ${contentWidth}px; height: ${height}px`;
  return contentWidth;
}
