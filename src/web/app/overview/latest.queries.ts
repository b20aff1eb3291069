import { queryOptions } from '@tanstack/react-query';
import { collectionKey } from '#web/api/collection-key.ts';
import { readHistory } from '#web/api/history.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { readDatasets, readIndex } from '#web/api/record-lists.ts';

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

const NEWEST_FIRST = { sort: ['-changedAt'] };

async function latestRevisions(
  collection: CollectionRef,
  signal: AbortSignal,
): Promise<readonly LatestChange[]> {
  const limit = LATEST_CHANGES;
  const { archivedocuments } = await readIndex(collection.id, NEWEST_FIRST, { limit }, signal);
  return archivedocuments.map(({ revisionId, changedAt, changedBy }) => ({
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
  const limit = LATEST_OF_TABLE;
  const { datasets } = await readDatasets(collection.id, NEWEST_FIRST, { limit }, signal);
  const changes = datasets.map(async ({ jrid }): Promise<readonly LatestChange[]> => {
    const [newest] = await readHistory(apiPaths.datasetHistory(collection.id, jrid), signal);
    return newest ? [{ collection, id: jrid, at: newest.at, by: newest.user }] : [];
  });
  return (await Promise.all(changes)).flat();
}
