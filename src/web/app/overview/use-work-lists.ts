import { useQueries } from '@tanstack/react-query';
import type { ArchiveSummary } from '#shared/contract/answers.ts';
import type { OpenQueue } from '#shared/contract/workspace-answers.ts';
import { archiveQuery } from '#web/api/archives.queries.ts';
import { checkFilterOf, checksQuery } from '#web/api/checks.queries.ts';
import type { ListView } from '#web/api/list-view.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { useSession } from '#web/api/session.queries.ts';
import { viewsQuery } from '#web/api/views.queries.ts';
import { filterKey, readView } from '#web/features/views/view-text.ts';

/** Records to correct one after the other. */
export interface WorkList {
  /** unique among the lists of an archive */
  readonly key: string;
  readonly name: string;
  readonly list: ListView;
}

/** The findings of a check. */
interface FoundByCheck extends WorkList {
  /** the number of revisions; a lower bound while the service is still counting */
  readonly count: number;
}

export interface ListsOfArchive {
  /** the saved views that narrow the list, in the order of their names */
  readonly views: readonly WorkList[];
  /** the checks with findings, those with most first */
  readonly checks: readonly FoundByCheck[];
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** Whether a queue was created from a work list: it has the same name. */
export function isQueueOf(queue: OpenQueue, archive: string, { name }: WorkList): boolean {
  return queue.archive === archive && queue.name === name;
}

/** The work lists of each archive, by its table name; undefined while they are loading. */
export function useWorkLists(
  archives: readonly ArchiveSummary[],
): ReadonlyMap<string, ListsOfArchive> | undefined {
  const { username } = useSession();
  const collections = archives.map(({ table }): CollectionRef => ({ kind: 'archive', id: table }));
  const views = useQueries({ queries: collections.map((collection) => viewsQuery(collection)) });
  const checks = useQueries({ queries: collections.map((collection) => checksQuery(collection)) });
  // The name of findings in filters depends on the names of the fields.
  const definitions = useQueries({
    queries: collections.map(({ id }, at) => ({
      ...archiveQuery(username, id),
      enabled: checks[at]?.data?.some(({ atLeast }) => atLeast > 0) ?? false,
    })),
  });
  if ([...views, ...checks, ...definitions].some(({ isLoading }) => isLoading)) return undefined;
  return new Map(
    archives.map(({ table }, at) => {
      const fields = definitions[at]?.data?.indexFieldDefinitions;
      const found = (checks[at]?.data ?? []).filter(({ atLeast }) => atLeast > 0);
      const refetch = () => Promise.all([views[at]?.refetch(), checks[at]?.refetch()]);
      const lists: ListsOfArchive = {
        views: (views[at]?.data ?? []).flatMap(({ viewId, name, search }) => {
          const list = readView(search);
          return filterKey(list) === ''
            ? []
            : { key: viewId, name, list: { ...list, view: viewId } };
        }),
        checks: !fields
          ? []
          : found
              .map(({ name, label, count, atLeast }): FoundByCheck => ({
                key: name,
                name: label,
                list: { where: [{ field: checkFilterOf(fields), op: 'eq', value: name }] },
                count: count ?? atLeast,
              }))
              .toSorted((a, b) => b.count - a.count),
        error: views[at]?.error ?? checks[at]?.error ?? definitions[at]?.error ?? null,
        refetch,
      };
      return [table, lists];
    }),
  );
}
