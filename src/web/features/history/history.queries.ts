import { queryOptions } from '@tanstack/react-query';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read } from '#web/api/request.ts';

/** What happened to a revision, newest first. `version` is its ETag, so that every save reads it anew. */
export const revisionHistoryQuery = (archive: string, revisionId: string, version: string | null) =>
  queryOptions({
    queryKey: [...archiveKeys.one(archive), 'history', revisionId, version],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.revisionHistory(archive, revisionId), {
        signal,
        parse: async (raw) => (await answers()).historyAnswer.parse(raw).history,
      });
      return data;
    },
  });
