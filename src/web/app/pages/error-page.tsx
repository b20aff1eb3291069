import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import classes from './message-page.module.css';

/** Stands in the place of a page that could not be shown; the frame around it stays. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const again = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  return (
    <div className={classes.page}>
      <ErrorPanel error={error} title="This page could not be shown" onRetry={again} />
    </div>
  );
}
