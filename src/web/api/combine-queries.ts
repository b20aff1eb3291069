interface PartialQuery {
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Combines queries that are all needed for `QueryPending`: the first error, and a retry of the failed queries. */
export function combineQueries(...queries: readonly PartialQuery[]): PartialQuery {
  const failed = queries.filter(({ error }) => Boolean(error));
  return {
    error: failed[0]?.error,
    refetch: () => failed.map(({ refetch }) => refetch()),
  };
}
