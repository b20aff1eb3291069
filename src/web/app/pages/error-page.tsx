import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { toFailure } from '#web/api/failure.ts';
import { Link } from '#web/navigation/link.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { useHeading } from '#web/ui/page.tsx';
import classes from './message-page.module.css';

interface ErrorPageProps {
  readonly error: unknown;
  readonly onAgain: () => void;
}

/** Stands in the place of a page that could not be shown; the frame around it stays. */
export function ErrorPage({ error, onAgain }: ErrorPageProps) {
  const queries = useQueryErrorResetBoundary();
  const again = () => {
    queries.reset();
    onAgain();
  };
  const failure = toFailure(error);
  if (failure.kind === 'api' && failure.status === 404) return <NothingHere />;
  return (
    <div className={classes.page}>
      <ErrorPanel error={error} title="This page could not be shown" onRetry={again} />
    </div>
  );
}

/** The address is one of a page, but what the page would show does not exist for this person. */
function NothingHere() {
  const heading = useHeading('Not found');
  return (
    <div className={classes.page}>
      <h1 {...heading} className={classes.title}>
        There is nothing at this address
      </h1>
      <p>What it showed was deleted or renamed, or you have no right to see it.</p>
      <p>
        <Link to={{ page: 'start' }} className={classes.link}>
          Go to the overview
        </Link>
      </p>
    </div>
  );
}
