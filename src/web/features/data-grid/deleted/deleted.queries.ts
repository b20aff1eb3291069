import { infiniteQueryOptions } from '@tanstack/react-query';
import { tableKeys } from '#web/api/tables.queries.ts';
import { readDeletions } from '../edit-store/datasets.calls.ts';

const PAGE = 100;

/** The datasets that were deleted and not restored, newest first, page by page. */
export const deletedQuery = (guid: string) =>
  infiniteQueryOptions({
    queryKey: [...tableKeys.one(guid), 'deleted'],
    queryFn: ({ pageParam, signal }) => readDeletions(guid, PAGE, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.pagination.next,
    staleTime: 0,
  });
