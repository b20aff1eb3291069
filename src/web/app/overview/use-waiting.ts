import { useQueries, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { ArchiveSummary, TableSummary } from '#shared/contract/answers.ts';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import type { Flag, OpenQueue } from '#shared/contract/workspace-answers.ts';
import type { ListPlace } from '#web/api/api-paths.ts';
import { peopleQuery } from '#web/api/display-names.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { unfinishedBatchesQuery } from '#web/features/bulk-jobs/bulk-jobs.queries.ts';
import { flagsQuery } from '#web/features/correction-queue/queue.queries.ts';
import { type LatestChange, LATEST_CHANGES, latestChangesQuery } from './latest.queries.ts';
import { isQueueOf } from './queue-of-view.ts';
import { type Unsaved, unsavedQuery } from './unsaved.queries.ts';
import type { ListsOfArchive } from './use-work-lists.ts';

/** An archive or table and its name on the screen. */
export interface NamedPlace {
  readonly place: ListPlace;
  readonly name: string;
}

export interface FlagsOfArchive extends NamedPlace {
  readonly flags: readonly Flag[];
}

export interface BatchUnderWay extends NamedPlace {
  readonly batch: AnsweredBulkEdit;
}

/** The user's unfinished work, and the latest changes. */
export interface WaitingWork {
  readonly places: readonly NamedPlace[];
  /** unfinished queues that belong to no work list */
  readonly queues: readonly OpenQueue[];
  readonly unsaved: readonly Unsaved[];
  readonly flags: readonly FlagsOfArchive[];
  /** bulk edits that run, are paused or are being undone */
  readonly batches: readonly BatchUnderWay[];
  readonly changes: readonly LatestChange[];
  readonly changesError: Error | null;
  /** read errors; the rest is shown nevertheless */
  readonly errors: readonly Error[];
}

/** The data about archives and tables that was read before. */
export interface WaitingOptions {
  readonly archives: readonly ArchiveSummary[];
  readonly tables: readonly TableSummary[];
  readonly queues: UseQueryResult<readonly OpenQueue[]>;
  readonly lists: ReadonlyMap<string, ListsOfArchive> | undefined;
}

/** Reads the user's unfinished work; undefined until everything is loaded. */
export function useWaiting({
  archives,
  tables,
  queues,
  lists,
}: WaitingOptions): WaitingWork | undefined {
  const client = useQueryClient();
  const { username } = useSession();
  const ofArchives = archives.map(({ table, name }): NamedPlace => ({
    place: { kind: 'archive', id: table },
    name,
  }));
  const ofTables = tables.map(({ guid, label }): NamedPlace => ({
    place: { kind: 'table', id: guid },
    name: label,
  }));
  const places = [...ofArchives, ...ofTables];
  const writable = places.filter(
    ({ place }) =>
      archives.some(({ table, rights }) => table === place.id && rights !== 'read') ||
      tables.some(({ guid, rights }) => guid === place.id && rights !== 'read'),
  );
  const unsaved = useQuery(
    unsavedQuery(
      client,
      username,
      ofArchives.map(({ place }) => place.id),
      ofTables.map(({ place }) => place.id),
    ),
  );
  const flags = useQueries({ queries: ofArchives.map(({ place }) => flagsQuery(place.id)) });
  const batches = useQueries({
    queries: writable.map(({ place }) => unfinishedBatchesQuery(place)),
  });
  const changes = useQueries({ queries: places.map(({ place }) => latestChangesQuery(place)) });

  const people = useQuery(peopleQuery);

  const all = [people, unsaved, ...flags, ...batches, ...changes];
  if (!lists || queues.isPending || all.some(({ isPending }) => isPending)) return undefined;
  const isListed = (queue: OpenQueue) => {
    const { views = [], checks = [] } = lists.get(queue.archive) ?? {};
    return [...views, ...checks].some((list) => isQueueOf(queue, queue.archive, list));
  };
  return {
    places,
    queues: (queues.data ?? []).filter((queue) => !isListed(queue)),
    unsaved: unsaved.data ?? [],
    flags: ofArchives
      .map((of, at) => ({ ...of, flags: flags[at]?.data ?? [] }))
      .filter(({ flags: some }) => some.length > 0),
    batches: writable.flatMap((of, at) =>
      (batches[at]?.data ?? []).map((batch) => ({ ...of, batch })),
    ),
    changes: changes
      .flatMap(({ data = [] }) => data)
      .toSorted((a, b) => b.at.localeCompare(a.at))
      .slice(0, LATEST_CHANGES),
    changesError: changes.find(({ error }) => error)?.error ?? null,
    errors: [queues, unsaved, ...flags, ...batches].flatMap(({ error }) => (error ? [error] : [])),
  };
}
