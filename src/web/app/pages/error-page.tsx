import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import * as texts from '#messages/pages.ts';
import { hasStatus } from '#web/api/failure.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import classes from './message-page.module.css';
import { MessagePage } from './message-page.tsx';

/** Shown in the place of a page that could not be loaded or rendered; the frame around it stays. */
export function ErrorPage({ error }: Pick<ErrorComponentProps, 'error'>) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const retry = () => {
    queries.reset();
    void router.invalidate();
  };
  // The address is one of a page, but what the page would show does not exist for this person.
  if (hasStatus(error, 404))
    return <MessagePage title={texts.nothingHereTitle}>{texts.nothingHere}</MessagePage>;
  return (
    <div className={classes.page}>
      <ErrorPanel error={error} title={texts.notShown} onRetry={retry} />
    </div>
  );
}
