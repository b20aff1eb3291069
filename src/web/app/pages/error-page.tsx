import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { toFailure } from '#web/api/failure.ts';
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
  const failure = toFailure(error);
  if (failure.kind === 'api' && failure.status === 404) {
    return (
      <div className={classes.page}>
        <h1 className={classes.title}>There is nothing at this address</h1>
        <p>What it showed is gone, was renamed, or is not for you to see.</p>
        <p>
          <Link to="/" className={classes.link}>
            Go to the archives and tables
          </Link>
        </p>
      </div>
    );
  }
  return (
    <div className={classes.page}>
      <ErrorPanel error={error} title="This page could not be shown" onRetry={again} />
    </div>
  );
}
