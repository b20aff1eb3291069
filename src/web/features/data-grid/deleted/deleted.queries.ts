import { infiniteQueryOptions } from '@tanstack/react-query';
import type { DeletedDatasets } from '#shared/contract/table-analysis-answers.ts';
import { taskAnswers } from '#web/api/load-answer-schemas.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { readData } from '#web/api/request.ts';
import { tableKeys } from '#web/api/tables.queries.ts';

const PAGE = 100;

/** The key of the deleted records of a table. */
export const deletedKey = (guid: string) => [...tableKeys.one(guid), 'deleted'] as const;

/** The datasets that were deleted and not restored, newest first, page by page. */
export const deletedQuery = (guid: string) =>
  infiniteQueryOptions({
    queryKey: deletedKey(guid),
    queryFn: async ({ pageParam, signal }): Promise<DeletedDatasets> => {
      const query = new URLSearchParams({ limit: String(PAGE) });
      if (pageParam !== null) query.set('before', pageParam);
      return readData(`${apiPaths.datasetDeleted(guid)}?${query}`, {
        signal,
        parse: async (raw) => (await taskAnswers()).deletedAnswer.parse(raw),
      });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.pagination.next,
    staleTime: 0,
  });
