import { framedHtml } from './framed-html.ts';
import classes from './viewer.module.css';

interface HtmlFrameProps {
  readonly html: string;
  readonly title: string;
  readonly onFrame: (frame: HTMLIFrameElement | null) => void;
}

/**
 * A page that somebody else has written: no scripts, no forms, nothing from elsewhere. It is of our
 * origin only so that its text can be searched and taken, which is safe as nothing in it can run.
 */
export function HtmlFrame({ html, title, onFrame }: HtmlFrameProps) {
  return (
    <iframe
      title={title}
      sandbox="allow-same-origin"
      referrerPolicy="no-referrer"
      srcDoc={framedHtml(html)}
      className={classes.frame}
      onLoad={({ currentTarget }) => {
        letKeysOut(currentTarget);
        onFrame(currentTarget);
      }}
    />
  );
}

/** Keys of the document and of the form hold while the cursor is in the frame, but for what is typed there. */
function letKeysOut(frame: HTMLIFrameElement) {
  const inner = frame.contentDocument;
  inner?.addEventListener('keydown', (event) => {
    const { altKey, ctrlKey, metaKey } = event;
    const typed = inner.activeElement?.matches('input, textarea, select, [contenteditable]');
    if (typed && !altKey && !ctrlKey && !metaKey) return;
    if (!frame.dispatchEvent(new KeyboardEvent(event.type, event))) event.preventDefault();
  });
}
