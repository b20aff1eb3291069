import { queryOptions } from '@tanstack/react-query';
import { answers } from '#web/api/load-answer-schemas.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { readHistory } from '#web/api/history.ts';
import { listQueryString } from '#web/api/list-view.ts';
import { apiPaths, type ListPlace } from '#web/api/api-paths.ts';
import { read } from '#web/api/request.ts';
import { tableKeys } from '#web/api/tables.queries.ts';

/** A revision or record, and its last change. */
export interface LatestChange {
  readonly place: ListPlace;
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
export const latestChangesQuery = (place: ListPlace) =>
  queryOptions({
    queryKey: [
      ...(place.kind === 'archive' ? archiveKeys.one(place.id) : tableKeys.one(place.id)),
      'latest changes',
    ],
    queryFn: ({ signal }) =>
      place.kind === 'archive' ? latestRevisions(place, signal) : latestRecords(place, signal),
  });

const newestFirst = (limit: number) => listQueryString({ sort: ['-changedAt'] }, { limit });

async function latestRevisions(
  place: ListPlace,
  signal: AbortSignal,
): Promise<readonly LatestChange[]> {
  const { data } = await read(apiPaths.index(place.id) + newestFirst(LATEST_CHANGES), {
    signal,
    parse: async (raw) => (await answers()).indexAnswer.parse(raw).archivedocuments,
  });
  return data.map(({ revisionId, changedAt, changedBy }) => ({
    place,
    id: revisionId,
    at: changedAt,
    by: changedBy,
  }));
}

async function latestRecords(
  place: ListPlace,
  signal: AbortSignal,
): Promise<readonly LatestChange[]> {
  const { data } = await read(apiPaths.datasets(place.id) + newestFirst(LATEST_OF_TABLE), {
    signal,
    parse: async (raw) => (await answers()).datasetListAnswer.parse(raw).datasets,
  });
  const changes = data.map(async ({ jrid }): Promise<readonly LatestChange[]> => {
    const [newest] = await readHistory(apiPaths.datasetHistory(place.id, jrid), signal);
    return newest ? [{ place, id: jrid, at: newest.at, by: newest.user }] : [];
  });
  return (await Promise.all(changes)).flat();
}
