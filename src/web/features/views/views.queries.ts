import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { View } from '#shared/contract/workspace-answers.ts';
import type { ViewBody } from '#shared/contract/workspace-requests.ts';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { type ListView, listQueryString } from '#web/api/list-view.ts';
import { apiPaths, type ListPlace } from '#web/api/paths.ts';
import { nothing, read, write } from '#web/api/request.ts';
import { viewsKey } from '#web/api/views.queries.ts';

const keysOf = ({ kind, id }: ListPlace) =>
  kind === 'archive' ? archiveKeys.one(id) : tableKeys.one(id);
const countsKey = (place: ListPlace) => [...keysOf(place), 'view counts'] as const;

/** How many rows a view matches now; asked again each minute, as others correct them too. */
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

/** The view as the user left it last; null where none is remembered. */
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
    // Another window or machine may have left another one.
    gcTime: 0,
  });

/** Remembers how the user leaves the list. */
export async function rememberLastView(place: ListPlace, search: string): Promise<void> {
  await write(apiPaths.lastView(place), { method: 'PUT', body: { search }, parse: nothing });
}

/** Saves a new view, or changes the one with this id. */
export async function saveView(
  place: ListPlace,
  viewId: string | null,
  body: ViewBody,
): Promise<View> {
  const [path, method] =
    viewId === null
      ? ([apiPaths.views(place), 'POST'] as const)
      : ([apiPaths.view(place, viewId), 'PUT'] as const);
  const { data } = await write(path, { method, body, parse: parseViews });
  const [view] = data;
  if (!view) throw new Error('The answer holds no view.');
  return view;
}

export async function deleteView(place: ListPlace, viewId: string): Promise<void> {
  await write(apiPaths.view(place, viewId), { method: 'DELETE', parse: nothing });
}

/** Has the views read anew. */
export function invalidateViews(client: QueryClient, place: ListPlace): Promise<void> {
  return client.invalidateQueries({ queryKey: viewsKey(place) });
}

/** Has the views counted anew, after something was changed. */
export function invalidateViewCounts(client: QueryClient, place: ListPlace): Promise<void> {
  return client.invalidateQueries({ queryKey: countsKey(place) });
}

async function parseViews(raw: unknown): Promise<View[]> {
  return (await answers()).viewsAnswer.parse(raw).views;
}
