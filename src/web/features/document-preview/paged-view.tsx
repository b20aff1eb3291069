import * as texts from '#messages/documents.ts';
import { type Ref, useRef, useState } from 'react';
import { FindBar } from './find-bar.tsx';
import { useZoom } from './stored-zoom.ts';
import { type ViewerHandle, SCROLLED_PART, useViewerHandle } from './move-commands.ts';
import { GAP } from './page-layout.ts';
import { PageSheet } from './page-sheet.tsx';
import { NEXT_ROTATION, type PageSource, type Rotation } from './page-source.ts';
import { usePageHits } from './use-page-hits.ts';
import { useHitHighlight } from './use-hit-highlight.ts';
import { usePageLayout } from './use-page-layout.ts';
import { useIsScannedPage } from './use-is-scanned-page.ts';
import {
  type PageSuggestionFinder,
  type HighlightStore,
  useValueHighlight,
} from './use-value-highlight.ts';
import shared from '#web/ui/shared.module.css';
import classes from './viewer.module.css';
import { ViewerFrame } from './viewer-frame.tsx';

interface PagedViewProps {
  readonly source: PageSource;
  readonly name: string;
  readonly highlightedValue: HighlightStore;
  readonly suggestionFinder: PageSuggestionFinder | null;
  readonly ref?: Ref<ViewerHandle> | undefined;
}

/** A viewer for documents with pages: PDF, TIFF or an image. */
export function PagedView(props: PagedViewProps) {
  const { source, name, highlightedValue, suggestionFinder, ref } = props;
  const pane = useRef<HTMLDivElement>(null);
  const layers = useRef(new Map<number, HTMLElement>());
  const [zoom, zoomTo] = useZoom(source.measure);
  const [rotation, setRotation] = useState<Rotation>(0);
  // null: the search is closed.
  const [typedQuery, setTypedQuery] = useState<string | null>(null);
  const query = typedQuery ?? '';
  const find = usePageHits(source, query);
  const layout = usePageLayout({ source, pane, zoom, rotation });
  const { boxes, page, renderedPages, toPage, turn, scrollBy } = layout;
  const hit = find.hits?.[find.index];
  const highlightHits = useHitHighlight({ query, hit, layers, toPage });
  const highlightOccurrences = useValueHighlight({
    source,
    highlightedValue,
    suggestionFinder,
    layers,
    toPage,
  });
  useViewerHandle(ref, (move) => {
    if (move === 'nextPage') turn(1);
    if (move === 'previousPage') turn(-1);
    if (move === 'scrollDown') scrollBy(SCROLLED_PART);
    if (move === 'scrollUp') scrollBy(-SCROLLED_PART);
    if (move === 'fit') zoomTo(zoom === 'page' ? 'width' : 'page');
  });
  const scan = useIsScannedPage(source, page);
  const bottom = boxes.at(-1);
  const widest = Math.max(0, ...renderedPages.map((number) => boxes[number - 1]?.width ?? 0));
  return (
    <ViewerFrame
      scale={boxes[page - 1]?.scale ?? 1}
      zoom={zoom}
      onZoom={zoomTo}
      onRotate={() => setRotation(NEXT_ROTATION[rotation])}
      onFind={() => setTypedQuery(query)}
      onTurn={turn}
      tools={<PageField page={page} pageCount={source.pageCount} onPage={toPage} />}
    >
      {typedQuery !== null && (
        <FindBar
          query={typedQuery}
          count={find.hits?.length ?? null}
          index={find.index}
          onQuery={setTypedQuery}
          onStep={find.step}
          onClose={() => setTypedQuery(null)}
          notice={scan ? texts.scanWithoutText : undefined}
        />
      )}
      {scan && typedQuery === null && (
        <p role="status" className={classes.notice}>
          {texts.scanWithoutText}
        </p>
      )}
      <div
        ref={pane}
        className={`${shared.scroller} ${classes.pages}`}
        role="region"
        aria-label={texts.pagesOf(name)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={layout.onScroll}
      >
        <div
          className={classes.stack}
          style={{ height: bottom ? bottom.top + bottom.height + GAP : 0, minWidth: widest }}
        >
          {renderedPages.map((number) => {
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
                    highlightHits();
                    highlightOccurrences();
                  }}
                />
              )
            );
          })}
        </div>
      </div>
    </ViewerFrame>
  );
}

interface PageFieldProps {
  readonly page: number;
  readonly pageCount: number;
  readonly onPage: (page: number) => void;
}

/** The number of the visible page, and the input for another one. */
function PageField({ page, pageCount, onPage }: PageFieldProps) {
  return (
    <label className={classes.pageNumber}>
      <span>{texts.page}</span>
      <input
        // A typed number takes effect on Enter.
        key={page}
        type="text"
        inputMode="numeric"
        aria-label={texts.pageInput(pageCount)}
        defaultValue={page}
        onKeyDown={(event) => {
          const to = Number(event.currentTarget.value);
          if (event.key === 'Enter' && Number.isInteger(to)) onPage(to);
        }}
      />
      <span>{texts.ofPages(pageCount)}</span>
    </label>
  );
}
