import { queryOptions } from '@tanstack/react-query';
import { taskAnswers } from '#web/api/load-answer-schemas.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { apiPaths, type ListPlace } from '#web/api/api-paths.ts';
import { read } from '#web/api/request.ts';
import { tableKeys } from '#web/api/tables.queries.ts';

const keyOf = ({ kind, id }: ListPlace) =>
  kind === 'archive' ? archiveKeys.one(id) : tableKeys.one(id);

/** The findings now and in the last days. @param days 1 to 366 */
export const figuresQuery = (place: ListPlace, days: number) =>
  queryOptions({
    queryKey: [...keyOf(place), 'figures', days],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.figures(place, days), {
        signal,
        parse: async (raw) => (await taskAnswers()).figuresAnswer.parse(raw),
      });
      return data;
    },
    staleTime: 10_000,
  });
