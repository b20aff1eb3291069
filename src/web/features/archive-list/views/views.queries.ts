import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { View } from '#shared/desk.ts';
import type { ViewBody } from '#shared/desk-requests.ts';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { type ListView, listQueryString } from '#web/api/list-view.ts';
import { apiPaths } from '#web/api/paths.ts';
import { nothing, read, write } from '#web/api/request.ts';

const viewsKey = (archive: string) => [...archiveKeys.one(archive), 'views'] as const;
const countsKey = (archive: string) => [...archiveKeys.one(archive), 'view counts'] as const;

/** The views of an archive that the user may use, in the order of their names. */
export const viewsQuery = (archive: string) =>
  queryOptions({
    queryKey: viewsKey(archive),
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.views(archive), { signal, parse: parseViews });
      return data;
    },
    staleTime: 30_000,
  });

/** How many revisions a view matches now; asked again each minute, as others correct them too. */
export const viewCountQuery = (archive: string, { where = [], q = '' }: ListView) =>
  queryOptions({
    queryKey: [...countsKey(archive), { where, q }],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.indexCount(archive) + listQueryString({ where, q }), {
        signal,
        parse: async (raw) => (await answers()).countAnswer.parse(raw).count,
      });
      return data;
    },
    staleTime: 10_000,
    refetchInterval: 60_000,
  });

/** The view as the user left it last; null where none is remembered. */
export const lastViewQuery = (archive: string) =>
  queryOptions({
    queryKey: [...archiveKeys.one(archive), 'last view'],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.lastView(archive), {
        signal,
        parse: async (raw) => (await answers()).lastViewAnswer.parse(raw).search,
      });
      return data;
    },
    // Another window or machine may have left another one.
    gcTime: 0,
  });

/** Remembers how the user leaves the list. */
export async function rememberLastView(archive: string, search: string): Promise<void> {
  await write(apiPaths.lastView(archive), { method: 'PUT', body: { search }, parse: nothing });
}

/** Saves a new view, or changes the one with this id. */
export async function saveView(
  archive: string,
  viewId: string | null,
  body: ViewBody,
): Promise<View> {
  const [path, method] =
    viewId === null
      ? ([apiPaths.views(archive), 'POST'] as const)
      : ([apiPaths.view(archive, viewId), 'PUT'] as const);
  const { data } = await write(path, { method, body, parse: parseViews });
  const [view] = data;
  if (!view) throw new Error('The answer holds no view.');
  return view;
}

export async function deleteView(archive: string, viewId: string): Promise<void> {
  await write(apiPaths.view(archive, viewId), { method: 'DELETE', parse: nothing });
}

/** Has the views read anew. */
export function outdateViews(client: QueryClient, archive: string): Promise<void> {
  return client.invalidateQueries({ queryKey: viewsKey(archive) });
}

/** Has the views counted anew, after a revision was changed. */
export function outdateViewCounts(client: QueryClient, archive: string): Promise<void> {
  return client.invalidateQueries({ queryKey: countsKey(archive) });
}

async function parseViews(raw: unknown): Promise<View[]> {
  return (await answers()).viewsAnswer.parse(raw).views;
}
