import { queryOptions } from '@tanstack/react-query';
import { answers } from '#web/api/load-answer-schemas.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { type ListView, listQueryString } from '#web/api/list-view.ts';
import { apiPaths, type ListPlace } from '#web/api/api-paths.ts';
import { read } from '#web/api/request.ts';

const keysOf = ({ kind, id }: ListPlace) =>
  kind === 'archive' ? archiveKeys.one(id) : tableKeys.one(id);
const countsKey = (place: ListPlace) => [...keysOf(place), 'view counts'] as const;

/** The number of matches of a view; refetched each minute, because others correct them too. */
export const viewCountQuery = (place: ListPlace, { where = [], q = '' }: ListView) =>
  queryOptions({
    queryKey: [...countsKey(place), { where, q }],
    queryFn: async ({ signal }) => {
      const countPath =
        place.kind === 'archive' ? apiPaths.indexCount(place.id) : apiPaths.datasetCount(place.id);
      const { data } = await read(countPath + listQueryString({ where, q }), {
        signal,
        parse: async (raw) => (await answers()).countAnswer.parse(raw).count,
      });
      return data;
    },
    staleTime: 10_000,
    refetchInterval: 60_000,
  });

/** The view in which the user last left the list; null if none is stored. */
export const lastViewQuery = (place: ListPlace) =>
  queryOptions({
    queryKey: [...keysOf(place), 'last view'],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.lastView(place), {
        signal,
        parse: async (raw) => (await answers()).lastViewAnswer.parse(raw).search,
      });
      return data;
    },
    // Another window or computer may have stored another one.
    gcTime: 0,
  });
