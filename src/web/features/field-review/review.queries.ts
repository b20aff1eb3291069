import { queryOptions } from '@tanstack/react-query';
import { answers } from '#web/api/load-answer-schemas.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { type ListView, listQueryString } from '#web/api/list-view.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { readData } from '#web/api/request.ts';

/** The revisions to review: those that matched the list when the page was opened, in its order. */
export const reviewedIdsQuery = (archive: string, view: ListView) => {
  const query = listQueryString(view);
  return queryOptions({
    queryKey: [...archiveKeys.one(archive), 'reviewed ids', query],
    queryFn: ({ signal }): Promise<readonly string[]> =>
      readData(apiPaths.indexIds(archive) + query, {
        signal,
        parse: async (raw) => (await answers()).revisionIdsAnswer.parse(raw).revisionIds,
      }),
    // A record that no longer matches after its correction stays in place.
    staleTime: 'static',
    gcTime: 0,
  });
};
