import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as texts from '#messages/pages.ts';
import { useHeading } from '#web/ui/page.tsx';
import classes from './message-page.module.css';

interface MessagePageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Shows a message instead of a page that does not exist; the frame around it stays. */
export function MessagePage({ title, children }: MessagePageProps) {
  const heading = useHeading(texts.notFound);
  return (
    <div className={classes.page}>
      <h1 {...heading} className={classes.title}>
        {title}
      </h1>
      <p>{children}</p>
      <p>
        <Link to="/" className={classes.link}>
          {texts.goToOverview}
        </Link>
      </p>
    </div>
  );
}
