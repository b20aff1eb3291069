import { queryOptions } from '@tanstack/react-query';
import type { Figures } from '#shared/contract/check-figures.ts';
import { taskAnswers } from '#web/api/load-answer-schemas.ts';
import { collectionKey } from '#web/api/collection-key.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { readData } from '#web/api/request.ts';

const isCounting = ({ checks }: Figures) => checks.some(({ count }) => count === null);

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
    // If a job counts the findings, the counts arrive later.
    refetchInterval: ({ state }) => (state.data && isCounting(state.data) ? 2_000 : false),
  });
