import { queryOptions } from '@tanstack/react-query';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { readHistory } from '#web/api/history.ts';
import { apiPaths } from '#web/api/api-paths.ts';

/** The history of a revision, newest first. `version` is its ETag, so that every save refetches it. */
export const revisionHistoryQuery = (archive: string, revisionId: string, version: string | null) =>
  queryOptions({
    queryKey: [...archiveKeys.one(archive), 'history', revisionId, version],
    queryFn: ({ signal }) => readHistory(apiPaths.revisionHistory(archive, revisionId), signal),
  });
