import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { CallError } from '#web/api/failure.ts';
import type { ListFilter, ListView } from '#web/api/list-view.ts';
import {
  countQuery,
  filterOf,
  idsQuery,
  type RowsRequest,
  type ListEntry,
  type IndexPage,
  PAGE_SIZE,
  pageQuery,
} from './list.queries.ts';
import { showsFindings, showsKeywords } from './list-columns.ts';
import { inListOrder } from './revision-selection.ts';

/** The loaded rows of a view: pages are loaded when they come into view. */
export interface RevisionRows {
  /** the filter of these rows; that of the view as soon as its first page is loaded */
  readonly filter: Required<ListFilter>;
  readonly status: 'loading' | 'failed' | 'ready';
  readonly error: CallError | null;
  /** whether the rows of the previous filter are shown until the new ones are loaded */
  readonly waiting: boolean;
  /** the number of rows; a lower bound if it is not exact */
  readonly count: number;
  readonly exact: boolean;
  /** the row at a position; undefined until it is loaded */
  readonly at: (index: number) => ListEntry | undefined;
  /** the position of a revision among the loaded rows; -1: not loaded */
  readonly indexOf: (revisionId: string) => number;
  /** the position of a revision in the whole list; asks the service if necessary; -1: not in it */
  readonly locate: (revisionId: string) => Promise<number>;
  /** the id at a position; null beyond the ends. @throws {CallError} */
  readonly idAt: (index: number) => Promise<string | null>;
  /** the ids from one position to another, inclusive. @throws {CallError} */
  readonly idsBetween: (from: number, to: number) => Promise<readonly string[]>;
  /** ids in list order; ids that are not in the list, or whose position is unknown, come last */
  readonly inOrder: (ids: readonly string[]) => Promise<string[]>;
  /** reports which rows are visible */
  readonly onVisible: (first: number, last: number) => void;
  readonly retry: () => void;
}

/** Loads the rows of a view page by page; requests for pages that are no longer visible are aborted. */
export function useRevisionRows(archive: string, view: ListView): RevisionRows {
  const client = useQueryClient();
  const filter = filterOf(view);
  const keywords = showsKeywords(view.columns);
  const findings = showsFindings(view);
  const [wanted, setWanted] = useState<RowsRequest>({ filter, keywords, findings });
  // An equal filter stays the same object, whatever else changes in the view.
  const isSameFilter = JSON.stringify(filter) === JSON.stringify(wanted.filter);
  if (!isSameFilter || keywords !== wanted.keywords || findings !== wanted.findings) {
    setWanted({ filter: isSameFilter ? wanted.filter : filter, keywords, findings });
  }
  const [shown, setShown] = useState(wanted);
  const [visiblePages, setVisiblePages] = useState<readonly number[]>([0]);

  const first = useQuery({ ...pageQuery(archive, wanted, 0), placeholderData: keepPreviousData });
  const arrived = first.data !== undefined && !first.isPlaceholderData;
  if (arrived && shown !== wanted) {
    setShown(wanted);
    setVisiblePages([0]);
  }
  const pages = useQueries({
    queries: visiblePages.map((page) => ({
      ...pageQuery(archive, shown, page),
      enabled: page !== 0 || shown !== wanted || arrived,
    })),
    combine: byPage,
  });
  const firstShown = pages.get(0) ?? client.getQueryData(pageQuery(archive, shown, 0).queryKey);
  const pagination = firstShown?.meta.pagination;
  const counting = useQuery({
    ...countQuery(archive, shown.filter),
    enabled: pagination?.total === null,
  });
  const total = pagination?.total ?? counting.data ?? null;
  const known = Math.max(pagination?.atLeast ?? 0, ...[...pages.values()].map(endOf));

  const page = useCallback(
    (index: number) =>
      pages.get(Math.floor(index / PAGE_SIZE)) ??
      client.getQueryData(pageQuery(archive, shown, Math.floor(index / PAGE_SIZE)).queryKey),
    [client, archive, shown, pages],
  );
  const at = useCallback(
    (index: number) => page(index)?.archivedocuments[index % PAGE_SIZE],
    [page],
  );
  const indexOf = useCallback(
    (revisionId: string) => {
      const prefix = pageQuery(archive, shown, 0).queryKey.slice(0, -1);
      for (const [key, data] of client.getQueriesData<IndexPage>({ queryKey: prefix })) {
        const index = data?.archivedocuments.findIndex((row) => row.revisionId === revisionId);
        if (index !== undefined && index >= 0) return Number(key.at(-1)) * PAGE_SIZE + index;
      }
      return -1;
    },
    [client, archive, shown],
  );
  const idsBetween = useCallback(
    async (from: number, to: number) => {
      const there: string[] = [];
      for (let index = from; index <= to; index++) {
        const id = at(index)?.revisionId;
        if (id === undefined) {
          return (await client.query(idsQuery(archive, shown.filter))).slice(from, to + 1);
        }
        there.push(id);
      }
      return there;
    },
    [client, archive, shown, at],
  );
  const idAt = useCallback(
    async (index: number) => {
      if (index < 0) return null;
      const there = at(index);
      if (there) return there.revisionId;
      const found = await client.query(pageQuery(archive, shown, Math.floor(index / PAGE_SIZE)));
      return found.archivedocuments[index % PAGE_SIZE]?.revisionId ?? null;
    },
    [client, archive, shown, at],
  );
  const locate = useCallback(
    async (revisionId: string) => {
      const index = indexOf(revisionId);
      if (index >= 0) return index;
      return (await client.query(idsQuery(archive, shown.filter))).indexOf(revisionId);
    },
    [client, archive, shown, indexOf],
  );
  const inOrder = useCallback(
    async (ids: readonly string[]) => {
      if (ids.every((id) => indexOf(id) >= 0)) return inListOrder(ids, indexOf);
      // If there are more than the limit, only the loaded rows are ordered.
      const all = await client.query(idsQuery(archive, shown.filter)).catch(() => null);
      if (!all) return inListOrder(ids, indexOf);
      const indexes = new Map(all.map((id, index) => [id, index]));
      return inListOrder(ids, (id) => indexes.get(id) ?? -1);
    },
    [client, archive, shown, indexOf],
  );
  const count = total ?? known;
  const onVisible = useCallback(
    (from: number, to: number) => {
      const next = pagesAround(from, Math.min(to + MARGIN, Math.max(0, count - 1)));
      setVisiblePages((before) => (before.join() === next.join() ? before : next));
    },
    [count],
  );

  return {
    filter: shown.filter,
    // Rows stay if reading them again fails.
    status: first.isLoadingError ? 'failed' : firstShown ? 'ready' : 'loading',
    error: first.error ?? (firstShown ? null : first.failureReason),
    waiting: shown !== wanted,
    count,
    exact: total !== null,
    at,
    indexOf,
    locate,
    idAt,
    idsBetween,
    inOrder,
    onVisible,
    retry: () => void first.refetch(),
  };
}

function byPage(results: readonly { readonly data: IndexPage | undefined }[]) {
  const pages = new Map<number, IndexPage>();
  for (const { data } of results) {
    if (data) pages.set(data.meta.pagination.offset / PAGE_SIZE, data);
  }
  return pages;
}

function endOf({ archivedocuments, meta }: IndexPage): number {
  return meta.pagination.offset + archivedocuments.length;
}

/** Rows above and below the visible ones that are loaded as well. */
const MARGIN = 40;

/** The pages of the visible rows; always the first one, because it contains the count. */
function pagesAround(from: number, to: number): number[] {
  const start = Math.max(0, Math.floor((from - MARGIN) / PAGE_SIZE));
  const end = Math.floor(to / PAGE_SIZE);
  const around = Array.from({ length: end - start + 1 }, (_, i) => start + i);
  return around.includes(0) ? around : [0, ...around];
}
