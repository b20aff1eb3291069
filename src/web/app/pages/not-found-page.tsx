import { Link, useLocation } from '@tanstack/react-router';
import * as texts from '#messages/pages.ts';
import { useHeading } from '#web/ui/page.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import classes from './message-page.module.css';

/** Shown for an address without a page; the frame around it stays. */
export function NotFoundPage() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const heading = useHeading(texts.notFound);
  return (
    <div className={classes.page}>
      <h1 {...heading} className={classes.title}>
        {texts.noPageTitle}
      </h1>
      <p>
        <RichText text={texts.noPage(<code className={classes.address}>{path}</code>)} />
      </p>
      <p>
        <Link to="/" className={classes.link}>
          {texts.goToOverview}
        </Link>
      </p>
    </div>
  );
}
