import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Finding, IndexEntry, indexAnswer, Revision } from '#shared/contract/answers.ts';
import type * as z from 'zod';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { type ListFilter, resolveWhere } from '#web/api/list-view.ts';
import { readCount, readDocuments, readIndex, readRevisionIds } from '#web/api/record-lists.ts';

/** Rows per page of the cache. */
export const PAGE_SIZE = 100;

/** A row of the list; it contains its keywords and findings if the view shows them. */
export interface ListEntry extends IndexEntry {
  readonly keywordFields?: Revision['keywordFields'];
  /** its findings, if the list shows them */
  readonly findings?: readonly Finding[] | undefined;
}

export interface IndexPage extends Pick<z.infer<typeof indexAnswer>, 'meta'> {
  readonly archivedocuments: ListEntry[];
}

/** The parameters with which the rows of a list are read. */
export interface RowsRequest {
  readonly filter: Required<ListFilter>;
  /** whether the rows contain their keywords, which takes longer */
  readonly keywords: boolean;
  /** whether the rows contain their findings */
  readonly findings: boolean;
}

/** The normalized filter of a view, so that equal filters have equal keys; periods are resolved with today's date. */
export function filterOf({ where = [], q = '', sort = [] }: ListFilter): Required<ListFilter> {
  return { where: resolveWhere(where), q, sort };
}

/** One page of the list, from 0. */
export const pageQuery = (
  archive: string,
  { filter, keywords, findings }: RowsRequest,
  page: number,
) =>
  queryOptions({
    queryKey: [...archiveKeys.lists(archive), 'page', keywords, findings, filter, page],
    queryFn: async ({ signal }): Promise<IndexPage> => {
      const range = { limit: PAGE_SIZE, offset: page * PAGE_SIZE, findings };
      const listed: IndexPage = await (keywords ? readDocuments : readIndex)(
        archive,
        filter,
        range,
        signal,
      );
      const found = listed.meta.findings;
      if (!found) return listed;
      const archivedocuments = listed.archivedocuments.map((row) => ({
        ...row,
        findings: found[row.revisionId],
      }));
      return { ...listed, archivedocuments };
    },
  });

/** The exact count, for lists whose page could not include it in time. */
export const countQuery = (archive: string, { where, q }: Required<ListFilter>) =>
  queryOptions({
    queryKey: [...archiveKeys.lists(archive), 'count', { where, q }],
    queryFn: ({ signal }) => readCount({ kind: 'archive', id: archive }, { where, q }, signal),
  });

/** The ids of all matches, in list order; 422 beyond 100,000. */
export const idsQuery = (archive: string, filter: Required<ListFilter>) =>
  queryOptions({
    queryKey: [...archiveKeys.lists(archive), 'ids', filter],
    queryFn: ({ signal }) => readRevisionIds(archive, filter, signal),
    gcTime: 60_000,
  });

/** Invalidates the lists of an archive: visible ones are refetched at once, others when they are next shown. */
export function invalidateLists(client: QueryClient, archive: string): Promise<void> {
  return client.invalidateQueries({ queryKey: archiveKeys.lists(archive) });
}

/** Whether one of the revisions is in a visible list, among the loaded rows. */
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
        .getQueryData<IndexPage>(key)
        ?.archivedocuments.some(({ revisionId }) => ids.has(revisionId)),
    );
}
