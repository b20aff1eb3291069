import { queryOptions } from '@tanstack/react-query';
import { taskAnswers } from '#web/api/load-answer-schemas.ts';
import { collectionKey } from '#web/api/collections.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { readData } from '#web/api/request.ts';

/** The findings now and in the last days. @param days 1 to 366 */
export const figuresQuery = (collection: CollectionRef, days: number) =>
  queryOptions({
    queryKey: [...collectionKey(collection), 'figures', days],
    queryFn: ({ signal }) =>
      readData(apiPaths.figures(collection, days), {
        signal,
        parse: async (raw) => (await taskAnswers()).figuresAnswer.parse(raw),
      }),
    staleTime: 10_000,
  });
