import { useQueries, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { ArchiveSummary, TableSummary } from '#shared/contract/answers.ts';
import type { OpenQueue } from '#shared/contract/workspace-answers.ts';
import { namedCollections } from '#web/api/named-collections.ts';
import { peopleQuery } from '#web/api/display-names.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { unfinishedBulkEditsQuery } from '#web/features/bulk-jobs/bulk-jobs.queries.ts';
import { flagsQuery } from '#web/features/correction-queue/queue.queries.ts';
import { LATEST_CHANGES, latestChangesQuery } from './latest.queries.ts';
import { unsavedQuery } from './unsaved.queries.ts';
import { isQueueOf, type ListsOfArchive } from './use-work-lists.ts';

/** The data about archives and tables that was read before. */
export interface UnfinishedWorkOptions {
  readonly archives: readonly ArchiveSummary[];
  readonly tables: readonly TableSummary[];
  readonly queues: UseQueryResult<readonly OpenQueue[]>;
  readonly lists: ReadonlyMap<string, ListsOfArchive> | undefined;
}

/** Reads the user's unfinished work; undefined until everything is loaded. */
export function useUnfinishedWork({ archives, tables, queues, lists }: UnfinishedWorkOptions) {
  const client = useQueryClient();
  const { username } = useSession();
  const collections = namedCollections(archives, tables);
  const ofArchives = collections.filter(({ collection }) => collection.kind === 'archive');
  const writable = collections.filter(
    ({ collection }) =>
      archives.some(({ table, rights }) => table === collection.id && rights !== 'read') ||
      tables.some(({ guid, rights }) => guid === collection.id && rights !== 'read'),
  );
  const unsaved = useQuery(
    unsavedQuery(
      client,
      username,
      archives.map(({ table }) => table),
      tables.map(({ guid }) => guid),
    ),
  );
  const flags = useQueries({
    queries: ofArchives.map(({ collection }) => flagsQuery(collection.id)),
  });
  const bulkEdits = useQueries({
    queries: writable.map(({ collection }) => unfinishedBulkEditsQuery(collection)),
  });
  const changes = useQueries({
    queries: collections.map(({ collection }) => latestChangesQuery(collection)),
  });

  const people = useQuery(peopleQuery);

  const all = [people, unsaved, ...flags, ...bulkEdits, ...changes];
  if (!lists || queues.isPending || all.some(({ isPending }) => isPending)) return undefined;
  const isListed = (queue: OpenQueue) => {
    const { views = [], checks = [] } = lists.get(queue.archive) ?? {};
    return [...views, ...checks].some((list) => isQueueOf(queue, queue.archive, list));
  };
  return {
    collections,
    /** those that belong to no work list */
    queues: (queues.data ?? []).filter((queue) => !isListed(queue)),
    unsaved: unsaved.data ?? [],
    flags: ofArchives
      .map((of, at) => ({ ...of, flags: flags[at]?.data ?? [] }))
      .filter(({ flags: some }) => some.length > 0),
    /** those that run, are paused or are being undone */
    bulkEdits: writable.flatMap((of, at) =>
      (bulkEdits[at]?.data ?? []).map((bulkEdit) => ({ ...of, bulkEdit })),
    ),
    changes: changes
      .flatMap(({ data = [] }) => data)
      .toSorted((a, b) => b.at.localeCompare(a.at))
      .slice(0, LATEST_CHANGES),
    changesError: changes.find(({ error }) => error)?.error ?? null,
    /** read errors; the rest is shown nevertheless */
    errors: [queues, unsaved, ...flags, ...bulkEdits].flatMap(({ error }) =>
      error ? [error] : [],
    ),
  };
}

export type UnfinishedWork = NonNullable<ReturnType<typeof useUnfinishedWork>>;
