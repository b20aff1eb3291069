import { ErrorPanel } from './error-panel.tsx';
import { Spinner } from './spinner.tsx';

interface QueryStateProps {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown };
  /** what could not be read: “The list could not be read.” */
  readonly title?: string;
}

/** Why a query could not be read, with a button to try again; nothing while it has no error. */
export function QueryError({ query: { error, refetch }, title }: QueryStateProps) {
  if (error === null || error === undefined) return null;
  return (
    <ErrorPanel
      error={error}
      {...(title !== undefined && { title })}
      onRetry={() => void refetch()}
    />
  );
}

interface QueryPendingProps extends QueryStateProps {
  /** announced to screen readers while it is loading */
  readonly loading?: string;
}

/** The placeholder for the data of a query that is still loading. */
export function QueryPending({ loading, ...query }: QueryPendingProps) {
  if (query.query.error) return <QueryError {...query} />;
  return <Spinner {...(loading !== undefined && { label: loading })} />;
}
