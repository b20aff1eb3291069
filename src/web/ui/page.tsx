import { type ReactNode, useEffect } from 'react';
import classes from './page.module.css';

interface PageProps {
  /** the page's heading, also the browser's title */
  readonly title: string;
  /** small words beside the title, such as a count */
  readonly aside?: ReactNode;
  /** buttons at the right end of the bar */
  readonly actions?: ReactNode;
  /** whether the body scrolls with padding (prose), or is filled to its edges by panes of its own */
  readonly body?: 'prose' | 'fill';
  readonly children: ReactNode;
}

/** A page within the frame: one bar with the title, below it the body, which fills the rest. */
export function Page({ title, aside, actions, body = 'fill', children }: PageProps) {
  useTitle(title);
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <h1 className={classes.title}>{title}</h1>
        {aside !== undefined && <div className={classes.aside}>{aside}</div>}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      <div className={classes.body} data-body={body}>
        {children}
      </div>
    </div>
  );
}

/** Names the browser's window after the page. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Indexdesk`;
  }, [title]);
}
