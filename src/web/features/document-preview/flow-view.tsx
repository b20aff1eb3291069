import { ActionIcon } from '@mantine/core';
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react';
import { SearchIcon } from '#web/ui/icons.tsx';
import { matches } from '#web/ui/shortcuts.ts';
import { FindBar } from './find-bar.tsx';
import { findText, rangesIn, textIn } from './find-text.ts';
import { highlight } from './highlights.ts';
import { HtmlFrame } from './html-frame.tsx';
import { MailText } from './mail-text.tsx';
import { type Move, type Mover, SCROLLED_PART, useMover } from './moves.ts';
import type { OpenFile } from './open-file.ts';
import { VIEWER_KEYS } from './viewer-keys.ts';
import classes from './viewer.module.css';

interface FlowViewProps {
  readonly file: Exclude<OpenFile, { as: 'pages' }>;
  readonly name: string;
  readonly onFrame: (frame: HTMLIFrameElement | null) => void;
  readonly ref?: Ref<Mover> | undefined;
}

/** Parts of what is seen; a page of a text without pages is what is seen, but for its last lines. */
const PARTS: Partial<Record<Move, number>> = {
  nextPage: 0.9,
  previousPage: -0.9,
  scrollDown: SCROLLED_PART,
  scrollUp: -SCROLLED_PART,
};

/** A document without pages: text, html or a mail. */
export function FlowView({ file, name, onFrame, ref }: FlowViewProps) {
  const root = useRef<HTMLDivElement>(null);
  const [finding, setFinding] = useState(false);
  const [count, setCount] = useState(0);
  const [at, setAt] = useState(0);
  const [query, setQuery] = useState('');

  useEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const frame = element.querySelector('iframe');
    // What is in the frame is searched where there is one, with the mail's head before it.
    const inFrame = frame?.contentDocument?.body;
    const places = [
      { place: element, view: window },
      ...(inFrame && inFrame.ownerDocument.defaultView
        ? [{ place: inFrame, view: inFrame.ownerDocument.defaultView }]
        : []),
    ];
    const wanted = finding ? query : '';
    let before = 0;
    for (const { place, view } of places) {
      const ranges = rangesIn(place, findText(textIn(place), wanted));
      const current = ranges[at - before] ?? null;
      highlight(ranges, current, view);
      current?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
      before += ranges.length;
    }
    setCount(before);
    return () => highlight([], null);
  }, [query, at, finding]);

  useMover(ref, (move) => {
    const element = root.current;
    const part = PARTS[move];
    if (!element || part === undefined) return;
    const before = element.scrollTop;
    element.scrollBy({ top: part * element.clientHeight });
    if (element.scrollTop !== before) return;
    // What is in a frame scrolls there.
    const inner = element.querySelector('iframe')?.contentWindow;
    inner?.scrollBy({ top: part * inner.innerHeight });
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (!matches(VIEWER_KEYS.find, event.nativeEvent)) return;
    event.preventDefault();
    event.stopPropagation();
    setFinding(true);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.view} onKeyDown={onKeyDown}>
      <div className={classes.bar} role="toolbar" aria-label="View">
        <span className={classes.gap} />
        <ActionIcon aria-label="Search in the document" onClick={() => setFinding(true)}>
          <SearchIcon size={15} />
        </ActionIcon>
      </div>
      {finding && (
        <FindBar
          count={count}
          at={at}
          onQuery={(next) => {
            setQuery(next);
            setAt(0);
          }}
          onStep={(by) => count > 0 && setAt((at + by + count) % count)}
          onClose={() => setFinding(false)}
        />
      )}
      <div
        ref={root}
        className={classes.flow}
        role="region"
        aria-label={`Text of ${name}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {file.as === 'text' && <pre className={classes.text}>{file.text}</pre>}
        {file.as === 'html' && <HtmlFrame html={file.html} title={name} onFrame={onFrame} />}
        {file.as === 'mail' && <MailText mail={file.mail} onFrame={onFrame} />}
      </div>
    </div>
  );
}
