import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { GAP, layOutPages, pageInView, pagesAt, type Zoom } from './page-layout.ts';
import { type PageSize, type PageSource, type Rotation, rotatedSize } from './page-source.ts';
import { usePaneSize } from './use-pane-size.ts';

interface PageLayoutOptions {
  readonly source: PageSource;
  /** the element that scrolls the pages */
  readonly pane: RefObject<HTMLElement | null>;
  readonly zoom: Zoom;
  readonly rotation: Rotation;
}

/** Lays the pages of a document out in a pane, and reads the sizes of those that come into view. */
export function usePageLayout({ source, pane, zoom, rotation }: PageLayoutOptions) {
  const paneSize = usePaneSize(pane);
  const [scrollTop, setScrollTop] = useState(0);
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(new Map());
  const { pageCount, firstSize } = source;
  const boxes = useMemo(() => {
    if (!paneSize) return [];
    const shown = Array.from({ length: pageCount }, (_, at) =>
      rotatedSize(sizes.get(at + 1) ?? firstSize, rotation),
    );
    return layOutPages(shown, paneSize, zoom);
  }, [pageCount, firstSize, sizes, paneSize, zoom, rotation]);
  const renderedPages = paneSize ? pagesAt(boxes, scrollTop, paneSize.height) : [];
  const toPage = (to: number) => {
    const box = boxes[Math.min(pageCount, Math.max(1, to)) - 1];
    if (box) pane.current?.scrollTo({ top: box.top - GAP });
  };

  // The visible page stays visible when all pages change their size.
  const position = useRef({ page: 1, part: 0 });
  useEffect(() => {
    const box = boxes[position.current.page - 1];
    if (box) pane.current?.scrollTo({ top: box.top - GAP + position.current.part * box.height });
  }, [boxes, pane]);
  const onScroll = () => {
    const top = pane.current?.scrollTop ?? 0;
    setScrollTop(top);
    const index = boxes.findLastIndex((box) => box.top - GAP <= top + 1);
    const box = boxes[index];
    if (box) position.current = { page: index + 1, part: (top + GAP - box.top) / box.height };
  };

  const first = renderedPages[0];
  const last = renderedPages.at(-1);
  useEffect(() => {
    if (first === undefined || last === undefined) return;
    for (let page = first; page <= last; page++) {
      void source.size(page).then(
        (size) =>
          setSizes((known) => {
            const previous = known.get(page) ?? firstSize;
            const isSame = previous.width === size.width && previous.height === size.height;
            return isSame ? known : new Map(known).set(page, size);
          }),
        () => undefined,
      );
    }
  }, [source, firstSize, first, last]);

  return {
    boxes,
    /** the visible pages (from 1), and one page on either side */
    renderedPages,
    /** the page in the middle of the pane */
    page: paneSize ? pageInView(boxes, scrollTop, paneSize.height) : 1,
    onScroll,
    /** scrolls to the top of a page */
    toPage,
    /** scrolls to the next or previous page */
    turn: (by: 1 | -1) => {
      const { page: top, part } = position.current;
      // If more than half of a page has been passed, the previous position is its start.
      toPage(by === -1 && part > 0.5 ? top : top + by);
    },
    /** scrolls by a part of the pane's height */
    scrollBy: (part: number) => pane.current?.scrollBy({ top: part * (paneSize?.height ?? 0) }),
  };
}
