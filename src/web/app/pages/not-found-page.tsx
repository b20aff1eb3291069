import { useLocation } from '@tanstack/react-router';
import * as texts from '#messages/pages.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import classes from './message-page.module.css';
import { MessagePage } from './message-page.tsx';

/** Shown for an address without a page. */
export function NotFoundPage() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <MessagePage title={texts.noPageTitle}>
      <RichText text={texts.noPage(<code className={classes.address}>{path}</code>)} />
    </MessagePage>
  );
}
