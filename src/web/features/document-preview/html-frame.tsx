import { useMemo } from 'react';
import { framedHtml } from './framed-html.ts';
import classes from './viewer.module.css';

interface HtmlFrameProps {
  readonly html: string;
  readonly title: string;
  readonly onFrame: (frame: HTMLIFrameElement | null) => void;
}

/**
 * A page from an unknown author: no scripts, no forms, nothing from other hosts. It has our origin only so that its
 * text can be searched and copied into fields, which is safe because it cannot run scripts.
 */
export function HtmlFrame({ html, title, onFrame }: HtmlFrameProps) {
  const page = useMemo(() => framedHtml(html), [html]);
  return (
    <iframe
      title={title}
      sandbox="allow-same-origin"
      referrerPolicy="no-referrer"
      srcDoc={page}
      className={classes.frame}
      onLoad={({ currentTarget }) => {
        forwardKeys(currentTarget);
        onFrame(currentTarget);
      }}
    />
  );
}

/** Forwards key events of the frame, so that shortcuts of the document and the form work, except for typing in it. */
function forwardKeys(frame: HTMLIFrameElement) {
  const inner = frame.contentDocument;
  inner?.addEventListener('keydown', (event) => {
    const { altKey, ctrlKey, metaKey } = event;
    const typed = inner.activeElement?.matches('input, textarea, select, [contenteditable]');
    if (typed && !altKey && !ctrlKey && !metaKey) return;
    if (!frame.dispatchEvent(new KeyboardEvent(event.type, event))) event.preventDefault();
  });
}
