import { useQueries } from '@tanstack/react-query';
import type { ArchiveSummary } from '#shared/contract/answers.ts';
import type { View } from '#shared/contract/workspace-answers.ts';
import { narrowing, readView } from '#web/features/views/view-text.ts';
import { viewsQuery } from '#web/api/views.queries.ts';

/** What is known of the saved views of one archive. */
export interface ViewsOfArchive {
  /** those that narrow the list, in the order of their names */
  readonly views: readonly View[];
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** The saved views that narrow the list of each archive, by its table name; undefined while they are read. */
export function useViewsByArchive(
  archives: readonly ArchiveSummary[],
): ReadonlyMap<string, ViewsOfArchive> | undefined {
  const queries = useQueries({
    queries: archives.map(({ table }) => viewsQuery({ kind: 'archive', id: table })),
  });
  if (queries.some(({ isPending }) => isPending)) return undefined;
  return new Map(
    archives.map(({ table }, at) => {
      const query = queries[at];
      const views = (query?.data ?? []).filter(({ search }) => narrowing(readView(search)) !== '');
      const refetch = () => query?.refetch();
      return [table, { views, error: query?.error ?? null, refetch }];
    }),
  );
}
