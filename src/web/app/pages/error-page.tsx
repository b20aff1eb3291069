import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import * as texts from '#messages/pages.ts';
import { toFailure } from '#web/api/failure.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { useHeading } from '#web/ui/page.tsx';
import classes from './message-page.module.css';

/** Shown in the place of a page that could not be loaded or rendered; the frame around it stays. */
export function ErrorPage({ error }: Pick<ErrorComponentProps, 'error'>) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const retry = () => {
    queries.reset();
    void router.invalidate();
  };
  const failure = toFailure(error);
  if (failure.kind === 'api' && failure.status === 404) return <NothingHere />;
  return (
    <div className={classes.page}>
      <ErrorPanel error={error} title={texts.notShown} onRetry={retry} />
    </div>
  );
}

/** The address is one of a page, but what the page would show does not exist for this person. */
function NothingHere() {
  const heading = useHeading(texts.notFound);
  return (
    <div className={classes.page}>
      <h1 {...heading} className={classes.title}>
        {texts.nothingHereTitle}
      </h1>
      <p>{texts.nothingHere}</p>
      <p>
        <Link to="/" className={classes.link}>
          {texts.goToOverview}
        </Link>
      </p>
    </div>
  );
}
