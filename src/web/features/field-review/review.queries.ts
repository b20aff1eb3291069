import { queryOptions } from '@tanstack/react-query';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { type ListView, listQueryString } from '#web/api/list-view.ts';
import { readRevisionIds } from '#web/api/record-lists.ts';

/** The revisions to review: those that matched the list when the page was opened, in its order. */
export const reviewedIdsQuery = (archive: string, view: ListView) =>
  queryOptions({
    queryKey: [...archiveKeys.one(archive), 'reviewed ids', listQueryString(view)],
    queryFn: ({ signal }) => readRevisionIds(archive, view, signal),
    // A record that no longer matches after its correction stays in place.
    staleTime: 'static',
    gcTime: 0,
  });
