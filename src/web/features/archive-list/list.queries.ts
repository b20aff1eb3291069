import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Finding, IndexEntry, indexAnswer, Revision } from '#shared/contract/answers.ts';
import type * as z from 'zod';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { type ListView, listQueryString, resolveWhere } from '#web/api/list-view.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read } from '#web/api/request.ts';

/** Rows of one page of the cache. */
export const PAGE_SIZE = 100;

/** A row of the list; it has its keywords and findings where the view shows them. */
export interface ListEntry extends IndexEntry {
  readonly keywordFields?: Revision['keywordFields'];
  /** what checks find in it, where the list shows that */
  readonly findings?: readonly Finding[] | undefined;
}

export interface ListPage extends Pick<z.infer<typeof indexAnswer>, 'meta'> {
  readonly archivedocuments: ListEntry[];
}

/** What the rows of a list are read by. */
export interface AskedRows {
  readonly filter: Required<ListFilter>;
  /** whether the rows hold their keywords, which takes longer */
  readonly keywords: boolean;
  /** whether they hold what checks find in them */
  readonly findings: boolean;
}

/** What decides which rows a list has and in which order. */
export interface ListFilter extends Pick<ListView, 'where' | 'q' | 'sort'> {}

/** The filter of a view in one form, so that equal filters have equal keys; periods are resolved by today's date. */
export function filterOf({ where = [], q = '', sort = [] }: ListFilter): Required<ListFilter> {
  return { where: resolveWhere(where), q, sort };
}

/** One page of the list, from 0. */
export const pageQuery = (
  archive: string,
  { filter, keywords, findings }: AskedRows,
  page: number,
) =>
  queryOptions({
    queryKey: [...archiveKeys.lists(archive), 'page', keywords, findings, filter, page],
    queryFn: async ({ signal }): Promise<ListPage> => {
      const query = listQueryString(filter, {
        limit: PAGE_SIZE,
        offset: page * PAGE_SIZE,
        findings,
      });
      const path = keywords ? apiPaths.documents(archive) : apiPaths.index(archive);
      const { data } = await read(path + query, {
        signal,
        parse: async (raw): Promise<ListPage> => {
          const { documentsAnswer, indexAnswer } = await answers();
          const page: ListPage = (keywords ? documentsAnswer : indexAnswer).parse(raw);
          const found = page.meta.findings;
          if (!found) return page;
          const archivedocuments = page.archivedocuments.map((row) => ({
            ...row,
            findings: found[row.revisionId],
          }));
          return { ...page, archivedocuments };
        },
      });
      return data;
    },
  });

/** The exact count, for where a page could not tell it in time. */
export const countQuery = (archive: string, { where, q }: Required<ListFilter>) =>
  queryOptions({
    queryKey: [...archiveKeys.lists(archive), 'count', { where, q }],
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
    queryKey: [...archiveKeys.lists(archive), 'ids', filter],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.indexIds(archive) + listQueryString(filter), {
        signal,
        parse: async (raw) => (await answers()).revisionIdsAnswer.parse(raw).revisionIds,
      });
      return data;
    },
    gcTime: 60_000,
  });

/** Invalidates the lists of an archive: those on the screen are read again at once, others when they are next shown. */
export function invalidateLists(client: QueryClient, archive: string): Promise<void> {
  return client.invalidateQueries({ queryKey: archiveKeys.lists(archive) });
}

/** Whether one of the revisions stands in a list that is on the screen, as far as that was read. */
export function listsAnyOf(
  client: QueryClient,
  archive: string,
  ids: ReadonlySet<string>,
): boolean {
  const queryKey = [...archiveKeys.lists(archive), 'page'];
  return client
    .getQueryCache()
    .findAll({ queryKey, type: 'active' })
    .some(({ queryKey: key }) =>
      client
        .getQueryData<ListPage>(key)
        ?.archivedocuments.some(({ revisionId }) => ids.has(revisionId)),
    );
}
