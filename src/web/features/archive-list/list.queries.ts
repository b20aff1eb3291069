import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { IndexEntry, indexAnswer, Revision } from '#shared/contract/answers.ts';
import type * as z from 'zod';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { type ListView, listQueryString, resolveWhere } from '#web/api/list-view.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read } from '#web/api/request.ts';

/** Rows of one page of the cache. */
export const PAGE_SIZE = 100;

/** A row of the list; it has its keywords where a column shows them. */
export interface ListEntry extends IndexEntry {
  readonly keywordFields?: Revision['keywordFields'];
}

export interface ListPage extends Pick<z.infer<typeof indexAnswer>, 'meta'> {
  readonly archivedocuments: ListEntry[];
}

/** What the rows of a list are read by. */
export interface AskedRows {
  readonly filter: Required<ListFilter>;
  /** whether the rows hold their keywords, which takes longer */
  readonly keywords: boolean;
}

/** What decides which rows a list has and in which order. */
export interface ListFilter extends Pick<ListView, 'where' | 'q' | 'sort'> {}

const listKey = (archive: string) => [...archiveKeys.one(archive), 'index'] as const;

/** The filter of a view in one form, so that equal filters have equal keys; periods are resolved by today's date. */
export function filterOf({ where = [], q = '', sort = [] }: ListFilter): Required<ListFilter> {
  return { where: resolveWhere(where), q, sort };
}

/** One page of the list, from 0. */
export const pageQuery = (archive: string, { filter, keywords }: AskedRows, page: number) =>
  queryOptions({
    queryKey: [...listKey(archive), 'page', keywords, filter, page],
    queryFn: async ({ signal }): Promise<ListPage> => {
      const query = listQueryString(filter, { limit: PAGE_SIZE, offset: page * PAGE_SIZE });
      const path = keywords ? apiPaths.documents(archive) : apiPaths.index(archive);
      const { data } = await read(path + query, {
        signal,
        parse: async (raw): Promise<ListPage> => {
          const { documentsAnswer, indexAnswer } = await answers();
          return (keywords ? documentsAnswer : indexAnswer).parse(raw);
        },
      });
      return data;
    },
  });

/** The exact count, for where a page could not tell it in time. */
export const countQuery = (archive: string, { where, q }: Required<ListFilter>) =>
  queryOptions({
    queryKey: [...listKey(archive), 'count', { where, q }],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.indexCount(archive) + listQueryString({ where, q }), {
        signal,
        parse: async (raw) => (await answers()).countAnswer.parse(raw).count,
      });
      return data;
    },
  });

/** The ids of all that match, in the list's order; 422 past 100,000. */
export const idsQuery = (archive: string, filter: Required<ListFilter>) =>
  queryOptions({
    queryKey: [...listKey(archive), 'ids', filter],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.indexIds(archive) + listQueryString(filter), {
        signal,
        parse: async (raw) => (await answers()).revisionIdsAnswer.parse(raw).revisionIds,
      });
      return data;
    },
    gcTime: 60_000,
  });

type RowChange = Partial<Omit<ListEntry, 'revisionId'>>;

/** Writes what a revision is now into every list that shows it; no row moves. */
export function changeRow(
  client: QueryClient,
  archive: string,
  revisionId: string,
  change: RowChange,
): void {
  client.setQueriesData<ListPage>({ queryKey: [...listKey(archive), 'page'] }, (page) => {
    const at = page?.archivedocuments.findIndex((entry) => entry.revisionId === revisionId) ?? -1;
    const entry = page?.archivedocuments[at];
    if (!page || !entry) return page;
    const archivedocuments = page.archivedocuments.with(at, { ...entry, ...change });
    return { ...page, archivedocuments };
  });
}

/** Has lists that are not on the screen read anew when they are next shown. */
export async function invalidateHiddenLists(client: QueryClient, archive: string): Promise<void> {
  // Without it, what is invalid and inactive would be read at once.
  const refetchType = 'none';
  await client.invalidateQueries({ queryKey: listKey(archive), type: 'inactive', refetchType });
}

/** Has the lists of an archive read anew: those on the screen at once, others when they are next shown. */
export function invalidateLists(client: QueryClient, archive: string): Promise<void> {
  return client.invalidateQueries({ queryKey: listKey(archive) });
}

/** Whether one of the revisions stands in a list that is on the screen, as far as that was read. */
export function listsAnyOf(
  client: QueryClient,
  archive: string,
  ids: ReadonlySet<string>,
): boolean {
  const queryKey = [...listKey(archive), 'page'];
  return client
    .getQueryCache()
    .findAll({ queryKey, type: 'active' })
    .some(({ queryKey: key }) =>
      client
        .getQueryData<ListPage>(key)
        ?.archivedocuments.some(({ revisionId }) => ids.has(revisionId)),
    );
}
