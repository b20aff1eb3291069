import { queryOptions } from '@tanstack/react-query';
import { answers } from './load-answer-schemas.ts';
import { archiveKeys } from './archives.queries.ts';
import { apiPaths, type ListPlace } from './api-paths.ts';
import { read } from './request.ts';
import { tableKeys } from './tables.queries.ts';

/** The key under which the views of a list are cached. */
export const viewsKey = ({ kind, id }: ListPlace) =>
  [...(kind === 'archive' ? archiveKeys.one(id) : tableKeys.one(id)), 'views'] as const;

/** The views of a list that the user may use, in the order of their names. */
export const viewsQuery = (place: ListPlace) =>
  queryOptions({
    queryKey: viewsKey(place),
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.views(place), {
        signal,
        parse: async (raw) => (await answers()).viewsAnswer.parse(raw).views,
      });
      return data;
    },
    staleTime: 30_000,
  });
