interface PartialQuery {
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Queries that are all needed, as `QueryPending` takes them: the first error, and another try of what failed. */
export function combineQueries(...queries: readonly PartialQuery[]): PartialQuery {
  const failed = queries.filter(({ error }) => Boolean(error));
  return {
    error: failed[0]?.error,
    refetch: () => failed.map(({ refetch }) => refetch()),
  };
}
