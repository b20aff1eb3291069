import type { PageSize } from './page-source.ts';

/** The zoom of pages: fit to width, fit to page, or a factor. */
export type Zoom = 'width' | 'page' | number;

/** Pixels between pages and around them. */
export const GAP = 10;

export interface PlacedPage extends PageSize {
  readonly top: number;
  readonly scale: number;
}

/** The position of every page in the scrolled area. @param sizes of the pages, as they are shown */
export function layOutPages(sizes: readonly PageSize[], pane: PageSize, zoom: Zoom): PlacedPage[] {
  let top = GAP;
  return sizes.map((size) => {
    const scale = scaleOf(size, pane, zoom);
    const box = { top, scale, width: size.width * scale, height: size.height * scale };
    top += box.height + GAP;
    return box;
  });
}

/** The pages (from 1) to render: the visible ones, and one page on either side. */
export function pagesAt(boxes: readonly PlacedPage[], from: number, height: number): number[] {
  let first = boxes.findIndex(({ top, height: tall }) => top + tall >= from);
  if (first < 0) first = Math.max(0, boxes.length - 1);
  let last = first;
  while ((boxes[last + 1]?.top ?? Infinity) < from + height) last++;
  const pages: number[] = [];
  for (let at = Math.max(0, first - 1); at <= Math.min(boxes.length - 1, last + 1); at++) {
    pages.push(at + 1);
  }
  return pages;
}

/** The page (from 1) in the middle of the visible area. */
export function pageInView(boxes: readonly PlacedPage[], from: number, height: number): number {
  const middle = from + height / 2;
  const at = boxes.findLastIndex(({ top }) => top - GAP <= middle);
  return Math.max(0, at) + 1;
}

function scaleOf(size: PageSize, pane: PageSize, zoom: Zoom): number {
  if (typeof zoom === 'number') return zoom;
  const width = Math.max(40, pane.width - 2 * GAP) / size.width;
  const height = Math.max(40, pane.height - 2 * GAP) / size.height;
  return Math.min(8, Math.max(0.05, zoom === 'width' ? width : Math.min(width, height)));
}
