import { createContext, type ReactNode, type RefObject, use, useEffect, useRef } from 'react';
import classes from './page.module.css';

interface PageProps {
  /** the page's heading, also the browser's title */
  readonly title: string;
  /** small text next to the title, such as a count */
  readonly aside?: ReactNode;
  /** buttons at the right end of the bar */
  readonly actions?: ReactNode;
  /** whether the body scrolls with padding (prose), or is filled to its edges by its own panes */
  readonly body?: 'prose' | 'fill';
  readonly children: ReactNode;
}

/** A page within the frame: a bar with the title, and below it the body, which fills the rest. */
export function Page({ title, aside, actions, body = 'fill', children }: PageProps) {
  const heading = useHeading(title);
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <h1 {...heading} className={classes.title}>
          {title}
        </h1>
        {aside !== undefined && <div className={classes.aside}>{aside}</div>}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      <div className={classes.body} data-body={body}>
        {children}
      </div>
    </div>
  );
}

/** The page that was opened last, and whether its heading received the focus; null before the first page. */
export type OpenedPage = { readonly title: string; readonly isFocused: boolean } | null;

/** One per window; without it no page moves the focus. */
export const OpenedPageRef = createContext<RefObject<OpenedPage> | null>(null);

/**
 * For the `h1` of a page: focuses it when another page opens, so that a screen reader announces the page and Tab
 * continues in it. The first page of a window keeps the browser's own focus; so does a page that has already focused an
 * element.
 */
export function useHeading(title: string) {
  const ref = useRef<HTMLHeadingElement>(null);
  const openedRef = use(OpenedPageRef);
  useTitle(title);
  useEffect(() => {
    if (!openedRef) return;
    const opened = openedRef.current;
    const isOther = opened !== null && opened.title !== title;
    // While the page loads, its heading may be replaced by another element with the same text.
    const isLost = opened?.isFocused === true && document.activeElement === document.body;
    const isFocused = (isOther || isLost) && mayTakeFocus(ref.current);
    if (isFocused) ref.current?.focus({ preventScroll: true });
    if (isOther || opened === null) openedRef.current = { title, isFocused };
  }, [title, openedRef]);
  return { ref, tabIndex: -1 };
}

/** Not if the user is already using something: an element of the page itself, or a dialog or field outside. */
function mayTakeFocus(heading: HTMLElement | null): boolean {
  const page = heading?.closest('main');
  const focused = document.activeElement;
  if (!page || focused?.matches('input, textarea, [role="dialog"], [role="dialog"] *'))
    return false;
  return focused === page || !page.contains(focused);
}

/** Whether no element of the page itself has the focus yet: it is on the heading, or on the link that led here. */
export function isFocusAtPageStart(): boolean {
  const focused = document.activeElement;
  return focused === document.body || focused?.matches('h1, a[aria-current=page]') === true;
}

/** Sets the title of the browser window. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Indexdesk`;
  }, [title]);
}
