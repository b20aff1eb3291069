import * as texts from '#messages/documents.ts';
import { type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { FindBar } from './find-bar.tsx';
import { byteSizeText } from '#web/ui/byte-size.ts';
import { findText, rangesIn, textIn } from './find-text.ts';
import { readOn, SHEET } from './flow-layout.ts';
import { highlight } from './highlights.ts';
import { HtmlFrame } from './html-frame.tsx';
import { useZoom } from './stored-zoom.ts';
import { MailText } from './mail-text.tsx';
import {
  type MoveCommand,
  type ViewerHandle,
  SCROLLED_PART,
  useViewerHandle,
} from './move-commands.ts';
import type { OpenFile } from './open-file.ts';
import { NEXT_ROTATION, type Rotation } from './page-source.ts';
import { useFlow, useKeepScrollPosition } from './use-flow.ts';
import { usePaneSize } from './use-pane-size.ts';
import shared from '#web/ui/shared.module.css';
import classes from './viewer.module.css';
import { ViewerFrame } from './viewer-frame.tsx';

interface FlowViewProps {
  readonly file: Exclude<OpenFile, { as: 'pages' }>;
  readonly name: string;
  readonly onFrame: (frame: HTMLIFrameElement | null) => void;
  readonly ref?: Ref<ViewerHandle> | undefined;
}

/** A load of a frame, which may be loaded more than once; null: there is none yet. */
interface FrameLoad {
  readonly frame: HTMLIFrameElement | null;
}

/** Fractions of the visible size; a page of a text without pages is the visible size minus a few lines. */
const PARTS: Partial<Record<MoveCommand, number>> = {
  nextPage: 0.9,
  previousPage: -0.9,
  scrollDown: SCROLLED_PART,
  scrollUp: -SCROLLED_PART,
};

/** A viewer for documents without pages: text, HTML or a mail. */
export function FlowView({ file, name, onFrame, ref }: FlowViewProps) {
  const root = useRef<HTMLDivElement>(null);
  const [zoom, zoomTo] = useZoom('letters');
  const [rotation, setRotation] = useState<Rotation>(0);
  const [load, setLoad] = useState<FrameLoad>({ frame: null });
  const search = useTextSearch(root, load);
  const paneSize = usePaneSize(root);
  const { paper, sheet, area, scale } = useFlow({ paneSize, zoom, rotation, frame: load.frame });
  const onScroll = useKeepScrollPosition(root, area, rotation);
  useViewerHandle(ref, (move) => {
    if (move === 'fit') zoomTo(zoom === 'page' ? 'width' : 'page');
    const { left, top } = readOn(PARTS[move] ?? 0, rotation);
    const { width, height } = paneSize ?? { width: 0, height: 0 };
    root.current?.scrollBy({ left: left * width, top: top * height });
  });

  const onLoaded = (frame: HTMLIFrameElement | null) => {
    setLoad({ frame });
    onFrame(frame);
  };
  return (
    <ViewerFrame
      scale={scale}
      zoom={zoom}
      onZoom={zoomTo}
      onRotate={() => setRotation(NEXT_ROTATION[rotation])}
      onFind={() => search.query === null && search.find('')}
    >
      {search.query !== null && (
        <FindBar
          query={search.query}
          count={search.count}
          index={search.index}
          onQuery={search.find}
          onStep={search.step}
          onClose={() => search.find(null)}
        />
      )}
      {file.bytesShown < file.size && (
        <p role="status" className={classes.notice}>
          {texts.firstPartShown({
            bytesShown: byteSizeText(file.bytesShown),
            size: byteSizeText(file.size),
          })}
        </p>
      )}
      <div
        ref={root}
        className={`${shared.scroller} ${classes.flow}`}
        data-rotation={rotation}
        role="region"
        aria-label={texts.textOf(name)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={onScroll}
      >
        <div className={classes.stack} style={area}>
          <div ref={paper} className={classes.paper} style={sheet} {...{ [SHEET]: true }}>
            {file.as === 'text' && <pre className={classes.text}>{file.text}</pre>}
            {file.as === 'html' && <HtmlFrame html={file.html} title={name} onFrame={onLoaded} />}
            {file.as === 'mail' && <MailText mail={file.mail} onFrame={onLoaded} />}
          </div>
        </div>
      </div>
    </ViewerFrame>
  );
}

/**
 * Searches the text of a document without pages, and highlights what it finds.
 * @param load of the frame that contains part of it: the search is repeated with each
 */
function useTextSearch(rootRef: RefObject<HTMLElement | null>, load: FrameLoad) {
  const [count, setCount] = useState(0);
  const [index, setIndex] = useState(0);
  const [query, setQuery] = useState<string | null>(null);
  useEffect(() => {
    const element = rootRef.current;
    if (!element) return undefined;
    // If there is a frame its content is searched, preceded by the mail's header.
    const inFrame = load.frame?.contentDocument?.body;
    const frameView = inFrame?.ownerDocument.defaultView;
    const parts = [
      { part: element, view: window },
      ...(inFrame && frameView ? [{ part: inFrame, view: frameView }] : []),
    ];
    let before = 0;
    for (const { part, view } of parts) {
      const ranges = rangesIn(part, findText(textIn(part), query ?? ''));
      const current = ranges[index - before] ?? null;
      highlight(ranges, current, view);
      current?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
      before += ranges.length;
    }
    setCount(before);
    return () => highlight([], null);
  }, [rootRef, load, query, index]);
  return {
    /** null: the search is closed */
    query,
    count,
    /** of the present hit, from 0 */
    index,
    find: (next: string | null) => {
      setQuery(next);
      setIndex(0);
    },
    step: (by: 1 | -1) => count > 0 && setIndex((index + by + count) % count),
  };
}
