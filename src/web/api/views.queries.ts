import { queryOptions } from '@tanstack/react-query';
import { answers } from './load-answer-schemas.ts';
import { collectionKey } from './collection-key.ts';
import { apiPaths, type CollectionRef } from './api-paths.ts';
import { readData } from './request.ts';

/** The key under which the views of a list are cached. */
export const viewsKey = (collection: CollectionRef) =>
  [...collectionKey(collection), 'views'] as const;

/** The views of a list that the user may use, in the order of their names. */
export const viewsQuery = (collection: CollectionRef) =>
  queryOptions({
    queryKey: viewsKey(collection),
    queryFn: ({ signal }) =>
      readData(apiPaths.views(collection), {
        signal,
        parse: async (raw) => (await answers()).viewsAnswer.parse(raw).views,
      }),
    staleTime: 30_000,
  });
