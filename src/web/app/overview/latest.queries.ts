import { queryOptions } from '@tanstack/react-query';
import { answers } from '#web/api/load-answer-schemas.ts';
import { collectionKey } from '#web/api/collections.ts';
import { readHistory } from '#web/api/history.ts';
import { listQueryString } from '#web/api/list-view.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { readData } from '#web/api/request.ts';

/** A revision or record, and its last change. */
export interface LatestChange {
  readonly collection: CollectionRef;
  /** the revisionId or jrid */
  readonly id: string;
  readonly at: string;
  readonly by: string;
}

/** How many changes the overview shows. */
export const LATEST_CHANGES = 6;
/** For a table fewer are read, because each record needs a separate call: lists of records do not name their authors. */
const LATEST_OF_TABLE = 3;

/** The latest changes in an archive or table, newest first. The live connection makes them stale. */
export const latestChangesQuery = (collection: CollectionRef) =>
  queryOptions({
    queryKey: [...collectionKey(collection), 'latest changes'],
    queryFn: ({ signal }) =>
      collection.kind === 'archive'
        ? latestRevisions(collection, signal)
        : latestRecords(collection, signal),
  });

const newestFirst = (limit: number) => listQueryString({ sort: ['-changedAt'] }, { limit });

async function latestRevisions(
  collection: CollectionRef,
  signal: AbortSignal,
): Promise<readonly LatestChange[]> {
  const data = await readData(apiPaths.index(collection.id) + newestFirst(LATEST_CHANGES), {
    signal,
    parse: async (raw) => (await answers()).indexAnswer.parse(raw).archivedocuments,
  });
  return data.map(({ revisionId, changedAt, changedBy }) => ({
    collection,
    id: revisionId,
    at: changedAt,
    by: changedBy,
  }));
}

async function latestRecords(
  collection: CollectionRef,
  signal: AbortSignal,
): Promise<readonly LatestChange[]> {
  const data = await readData(apiPaths.datasets(collection.id) + newestFirst(LATEST_OF_TABLE), {
    signal,
    parse: async (raw) => (await answers()).datasetListAnswer.parse(raw).datasets,
  });
  const changes = data.map(async ({ jrid }): Promise<readonly LatestChange[]> => {
    const [newest] = await readHistory(apiPaths.datasetHistory(collection.id, jrid), signal);
    return newest ? [{ collection, id: jrid, at: newest.at, by: newest.user }] : [];
  });
  return (await Promise.all(changes)).flat();
}
