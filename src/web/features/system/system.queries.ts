import { queryOptions } from '@tanstack/react-query';
import { administrationAnswers } from '#web/api/load-answer-schemas.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { readData } from '#web/api/request.ts';

const systemKeys = { all: ['system'] as const };

/** Version, database, size, growth and settings of the installation. */
export const systemQuery = queryOptions({
  queryKey: [...systemKeys.all, 'state'],
  queryFn: ({ signal }) =>
    readData(administrationPaths.system(), {
      signal,
      parse: async (raw) => (await administrationAnswers()).systemAnswer.parse(raw).system,
    }),
});

/** The load of the answering process during the last hour; refetched with each new sample. */
export const metricsQuery = queryOptions({
  queryKey: [...systemKeys.all, 'metrics'],
  queryFn: ({ signal }) =>
    readData(administrationPaths.systemMetrics(), {
      signal,
      parse: async (raw) => (await administrationAnswers()).metricsAnswer.parse(raw).metrics,
    }),
  refetchInterval: ({ state }) => (state.data?.intervalSeconds ?? 10) * 1000,
});
