import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import { taskAnswers } from '#web/api/load-answer-schemas.ts';
import { parseBulkEdit } from '#web/api/bulk-edits.ts';
import { collectionKey } from '#web/api/collection-key.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { readData } from '#web/api/request.ts';

/** The query keys of bulk edits. */
export const bulkKeys = {
  all: (collection: CollectionRef) => [...collectionKey(collection), 'bulk-edits'] as const,
  one: (collection: CollectionRef, id: string) => [...bulkKeys.all(collection), id] as const,
};

/** Polling interval of a running job, in milliseconds. */
const POLL_INTERVAL = 400;

/** Whether a step is in progress whose end the user waits for. */
export function isInProgress({ state }: AnsweredBulkEdit): boolean {
  return state === 'applying' || state === 'undoing';
}

/** How often a paused job is read, which may be continued elsewhere, in milliseconds. */
const PAUSED_INTERVAL = 2_000;

/** The state of a bulk edit; polled until it is over. */
export const bulkEditQuery = (collection: CollectionRef, id: string) =>
  queryOptions({
    queryKey: [...bulkKeys.one(collection, id), 'state'],
    queryFn: ({ signal }) =>
      readData(apiPaths.bulkEdit(collection, id), {
        signal,
        parse: parseBulkEdit,
      }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.state === 'paused') return PAUSED_INTERVAL;
      return data && isInProgress(data) ? POLL_INTERVAL : false;
    },
  });

/** The user's bulk edits of an archive or table that run, are being undone or are paused, among the newest 50. */
export const unfinishedBulkEditsQuery = (collection: CollectionRef) =>
  queryOptions({
    queryKey: [...bulkKeys.all(collection), 'unfinished'],
    queryFn: async ({ signal }): Promise<readonly AnsweredBulkEdit[]> => {
      const data = await readData(apiPaths.bulkEdits(collection), {
        signal,
        parse: async (raw) => (await taskAnswers()).bulkEditListAnswer.parse(raw).bulkedits,
      });
      return data.filter((bulkEdit) => isInProgress(bulkEdit) || bulkEdit.state === 'paused');
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? POLL_INTERVAL * 5 : false),
  });

/** The user's bulk edits of an archive or table, newest first. */
export const bulkEditsQuery = (collection: CollectionRef) =>
  infiniteQueryOptions({
    queryKey: [...bulkKeys.all(collection), 'list'],
    initialPageParam: '',
    queryFn: async ({ signal, pageParam }) => {
      const query = pageParam === '' ? '' : `?${new URLSearchParams({ after: pageParam })}`;
      return readData(apiPaths.bulkEdits(collection) + query, {
        signal,
        parse: async (raw) => (await taskAnswers()).bulkEditListAnswer.parse(raw),
      });
    },
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ bulkedits }) => bulkedits.some(isInProgress))
        ? POLL_INTERVAL * 5
        : false,
  });
