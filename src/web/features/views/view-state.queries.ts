import { queryOptions } from '@tanstack/react-query';
import { answers } from '#web/api/load-answer-schemas.ts';
import { collectionKey } from '#web/api/collection-key.ts';
import type { ListView } from '#web/api/list-view.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { readCount } from '#web/api/record-lists.ts';
import { readData } from '#web/api/request.ts';

const countsKey = (collection: CollectionRef) =>
  [...collectionKey(collection), 'view counts'] as const;

/** The number of matches of a view; refetched each minute, because others correct them too. */
export const viewCountQuery = (collection: CollectionRef, { where = [], q = '' }: ListView) =>
  queryOptions({
    queryKey: [...countsKey(collection), { where, q }],
    queryFn: ({ signal }) => readCount(collection, { where, q }, signal),
    staleTime: 10_000,
    refetchInterval: 60_000,
  });

/** The view in which the user last left the list; null if none is stored. */
export const lastViewQuery = (collection: CollectionRef) =>
  queryOptions({
    queryKey: [...collectionKey(collection), 'last view'],
    queryFn: ({ signal }) =>
      readData(apiPaths.lastView(collection), {
        signal,
        parse: async (raw) => (await answers()).lastViewAnswer.parse(raw).search,
      }),
    // Another window or computer may have stored another one.
    gcTime: 0,
  });
