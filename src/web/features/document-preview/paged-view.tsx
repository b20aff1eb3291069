import * as texts from '#messages/documents.ts';
import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { IconButton } from '#web/ui/button.tsx';
import { SearchIcon } from '#web/ui/icons.tsx';
import { FindBar } from './find-bar.tsx';
import { findText, rangesIn, textIn } from './find-text.ts';
import { highlight } from './highlights.ts';
import { storeZoom, readZoom } from './stored-zoom.ts';
import { type Mover, SCROLLED_PART, useMover } from './moves.ts';
import { GAP, layPages, pageInView, pagesAt, type Zoom } from './page-layout.ts';
import { PageSheet } from './page-sheet.tsx';
import type { PageSize, PageSource, Rotation } from './page-source.ts';
import { usePageHits } from './use-find.ts';
import { useRoom } from './use-room.ts';
import { useScan } from './use-scan.ts';
import { type OfferSeeker, type HighlightStore, useValueHighlight } from './use-value-highlight.ts';
import { NEXT_TURN, onViewKey, withinZooms } from './view-keys.ts';
import classes from './viewer.module.css';
import { PageField, ZoomBar } from './zoom-bar.tsx';

const NO_TEXT = texts.scanWithoutText;

interface PagedViewProps {
  readonly source: PageSource;
  readonly name: string;
  readonly highlightedValue: HighlightStore;
  readonly offers?: OfferSeeker | null;
  readonly ref?: Ref<Mover> | undefined;
}

/** A viewer for documents with pages: PDF, TIFF or an image. */
export function PagedView({ source, name, highlightedValue, offers = null, ref }: PagedViewProps) {
  const pane = useRef<HTMLDivElement>(null);
  const room = useRoom(pane);
  const [scrolled, setScrolled] = useState(0);
  const [zoom, setZoom] = useState<Zoom>(() => readZoom(source.measure));
  const [rotation, setRotation] = useState<Rotation>(0);
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(new Map());
  const [finding, setFinding] = useState(false);
  const [query, setQuery] = useState('');
  const find = usePageHits(source, finding ? query : '');
  const layers = useRef(new Map<number, HTMLElement>());
  const wanted = useRef<number | null>(null);

  const { pageCount, firstSize } = source;
  const boxes = useMemo(
    () =>
      room ? layPages(pageCount, (page) => sizes.get(page) ?? firstSize, room, zoom, rotation) : [],
    [pageCount, firstSize, sizes, room, zoom, rotation],
  );
  const seen = room ? pagesAt(boxes, scrolled, room.height) : [];
  const page = room ? pageInView(boxes, scrolled, room.height) : 1;
  const toPage = (to: number) => {
    const box = boxes[Math.min(pageCount, Math.max(1, to)) - 1];
    if (box) pane.current?.scrollTo({ top: box.top - GAP });
  };

  // The visible page stays visible when all pages change their size.
  const position = useRef({ page: 1, part: 0 });
  useEffect(() => {
    const box = boxes[position.current.page - 1];
    if (box) pane.current?.scrollTo({ top: box.top - GAP + position.current.part * box.height });
  }, [boxes]);
  const onScroll = () => {
    const top = pane.current?.scrollTop ?? 0;
    setScrolled(top);
    const at = boxes.findLastIndex((box) => box.top - GAP <= top + 1);
    const box = boxes[at];
    if (box) position.current = { page: at + 1, part: (top + GAP - box.top) / box.height };
  };

  const first = seen[0];
  const last = seen.at(-1);
  useEffect(() => {
    if (first === undefined || last === undefined) return;
    for (let at = first; at <= last; at++) {
      void source.size(at).then(
        (size) =>
          setSizes((known) => {
            const before = known.get(at) ?? firstSize;
            const same = before.width === size.width && before.height === size.height;
            return same ? known : new Map(known).set(at, size);
          }),
        () => undefined,
      );
    }
  }, [source, firstSize, first, last]);

  const hit = find.hits?.[find.at];
  const mark = useCallback(() => {
    const ranges: Range[] = [];
    let current: Range | null = null;
    for (const [number, layer] of layers.current) {
      if (!layer.isConnected) layers.current.delete(number);
      const found = query.trim() === '' ? [] : rangesIn(layer, findText(textIn(layer), query));
      ranges.push(...found);
      if (hit?.page === number) current = found[hit.within] ?? null;
    }
    highlight(finding ? ranges : [], finding ? current : null);
    if (current && wanted.current === hit?.page) {
      wanted.current = null;
      current.startContainer.parentElement?.scrollIntoView({ block: 'center' });
    }
  }, [query, hit, finding]);
  const hitPage = hit?.page;
  // Only a change of the hit moves the document.
  const goToHit = useEffectEvent((to: number) => {
    wanted.current = to;
    const box = boxes[to - 1];
    if (box && !layers.current.get(to)?.isConnected) pane.current?.scrollTo({ top: box.top - GAP });
  });
  useEffect(() => {
    if (hitPage !== undefined) goToHit(hitPage);
    mark();
  }, [mark, hitPage]);
  useEffect(() => () => highlight([], null), []);
  const markValue = useValueHighlight({ source, highlightedValue, offers, layers, toPage });

  const zoomTo = (to: Zoom) => {
    setZoom(to);
    storeZoom(source.measure, to);
  };
  const zoomBy = (factor: number) => {
    const now = boxes[page - 1]?.scale ?? 1;
    zoomTo(withinZooms(now * factor));
  };
  const rotate = () => setRotation(NEXT_TURN[rotation]);
  const openFind = () => {
    setFinding(true);
  };
  const scrollBy = (part: number) => pane.current?.scrollBy({ top: part * (room?.height ?? 0) });
  const turn = (by: 1 | -1) => {
    const { page: top, part } = position.current;
    // If more than half of a page has been passed, the previous position is its start.
    toPage(by === -1 && part > 0.5 ? top : top + by);
  };
  useMover(ref, (move) => {
    if (move === 'nextPage') turn(1);
    if (move === 'previousPage') turn(-1);
    if (move === 'scrollDown') scrollBy(SCROLLED_PART);
    if (move === 'scrollUp') scrollBy(-SCROLLED_PART);
    if (move === 'fit') zoomTo(zoom === 'page' ? 'width' : 'page');
  });
  const onKeyDown = (event: KeyboardEvent) =>
    onViewKey(event, { find: openFind, zoomTo, zoomBy, rotate, turn });

  const scan = useScan(source, page);
  const bottom = boxes.at(-1);
  const widest = Math.max(0, ...seen.map((number) => boxes[number - 1]?.width ?? 0));
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.view} onKeyDown={onKeyDown}>
      <div className={classes.bar} role="toolbar" aria-label={texts.view}>
        <PageField page={page} pageCount={pageCount} onPage={toPage} />
        <span className={classes.gap} />
        <ZoomBar
          scale={boxes[page - 1]?.scale ?? 1}
          zoom={zoom}
          onZoom={zoomTo}
          onZoomBy={zoomBy}
          onRotate={rotate}
        />
        <IconButton aria-label={texts.search} onClick={openFind}>
          <SearchIcon size={15} />
        </IconButton>
      </div>
      {finding && (
        <FindBar
          count={find.hits?.length ?? null}
          at={find.at}
          onQuery={setQuery}
          onStep={(by) => {
            const count = find.hits?.length ?? 0;
            if (count > 0) find.setAt((find.at + by + count) % count);
          }}
          onClose={() => setFinding(false)}
          notice={scan ? NO_TEXT : undefined}
        />
      )}
      {scan && !finding && (
        <p role="status" className={classes.notice}>
          {NO_TEXT}
        </p>
      )}
      <div
        ref={pane}
        className={classes.pages}
        role="region"
        aria-label={texts.pagesOf(name)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={onScroll}
      >
        <div
          className={classes.stack}
          style={{ height: bottom ? bottom.top + bottom.height + GAP : 0, minWidth: widest }}
        >
          {seen.map((number) => {
            const box = boxes[number - 1];
            return (
              box && (
                <PageSheet
                  key={number}
                  source={source}
                  page={number}
                  box={box}
                  rotation={rotation}
                  onDrawn={(drawn, layer) => {
                    layers.current.set(drawn, layer);
                    mark();
                    markValue();
                  }}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}
