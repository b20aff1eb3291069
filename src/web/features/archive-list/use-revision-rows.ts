import {
  keepPreviousData,
  type QueryClient,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
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

/** Access to the rows of a list by position and by id. */
interface RowAccess {
  /** the row at a position; undefined until it is loaded */
  readonly at: (index: number) => ListEntry | undefined;
  /** the position of a revision among the loaded rows; -1: not loaded */
  readonly indexOf: (revisionId: string) => number;
  /** the position of a revision in the complete list, from the service if necessary; -1: not in the list */
  readonly locate: (revisionId: string) => Promise<number>;
  /** the id at a position; null beyond the ends. @throws {CallError} */
  readonly idAt: (index: number) => Promise<string | null>;
  /** the ids from one position to another, inclusive. @throws {CallError} */
  readonly idsBetween: (from: number, to: number) => Promise<readonly string[]>;
  /** ids in list order; ids that are not in the list, or whose position is unknown, come last */
  readonly inOrder: (ids: readonly string[]) => Promise<string[]>;
}

/** The loaded rows of a view: pages are loaded when they come into view. */
export interface RevisionRows extends RowAccess {
  /** the filter of these rows; that of the view as soon as its first page is loaded */
  readonly filter: Required<ListFilter>;
  readonly status: 'loading' | 'failed' | 'ready';
  readonly error: CallError | null;
  /** whether the rows of the previous filter are shown until the new ones are loaded */
  readonly waiting: boolean;
  /** the number of rows; a lower bound if it is not exact */
  readonly count: number;
  readonly exact: boolean;
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
  const count = total ?? known;

  return {
    filter: shown.filter,
    // Rows stay if reading them again fails.
    status: first.isLoadingError ? 'failed' : firstShown ? 'ready' : 'loading',
    error: first.error ?? (firstShown ? null : first.failureReason),
    waiting: shown !== wanted,
    count,
    exact: total !== null,
    ...rowAccess(client, archive, shown, pages),
    onVisible: (from, to) => {
      const next = pagesAround(from, Math.min(to + MARGIN, Math.max(0, count - 1)));
      setVisiblePages((before) => (before.join() === next.join() ? before : next));
    },
    retry: () => void first.refetch(),
  };
}

/** Access to the rows of a request: those that are loaded, else by asking the service. */
function rowAccess(
  client: QueryClient,
  archive: string,
  shown: RowsRequest,
  pages: ReadonlyMap<number, IndexPage>,
): RowAccess {
  const allIds = () => client.query(idsQuery(archive, shown.filter));
  const at = (index: number) => {
    const page = Math.floor(index / PAGE_SIZE);
    const loaded = pages.get(page) ?? client.getQueryData(pageQuery(archive, shown, page).queryKey);
    return loaded?.archivedocuments[index % PAGE_SIZE];
  };
  const indexOf = (revisionId: string) => {
    const prefix = pageQuery(archive, shown, 0).queryKey.slice(0, -1);
    for (const [key, data] of client.getQueriesData<IndexPage>({ queryKey: prefix })) {
      const index = data?.archivedocuments.findIndex((row) => row.revisionId === revisionId);
      if (index !== undefined && index >= 0) return Number(key.at(-1)) * PAGE_SIZE + index;
    }
    return -1;
  };
  return {
    at,
    indexOf,
    locate: async (revisionId) => {
      const index = indexOf(revisionId);
      return index >= 0 ? index : (await allIds()).indexOf(revisionId);
    },
    idAt: async (index) => {
      if (index < 0) return null;
      const loaded = at(index);
      if (loaded) return loaded.revisionId;
      const found = await client.query(pageQuery(archive, shown, Math.floor(index / PAGE_SIZE)));
      return found.archivedocuments[index % PAGE_SIZE]?.revisionId ?? null;
    },
    idsBetween: async (from, to) => {
      const ids: string[] = [];
      for (let index = from; index <= to; index++) {
        const id = at(index)?.revisionId;
        if (id === undefined) return (await allIds()).slice(from, to + 1);
        ids.push(id);
      }
      return ids;
    },
    inOrder: async (ids) => {
      if (ids.every((id) => indexOf(id) >= 0)) return inListOrder(ids, indexOf);
      // If there are more than the limit, only the loaded rows are ordered.
      const all = await allIds().catch(() => null);
      if (!all) return inListOrder(ids, indexOf);
      const indexes = new Map(all.map((id, index) => [id, index]));
      return inListOrder(ids, (id) => indexes.get(id) ?? -1);
    },
  };
}

/** Ids in list order, unknown ones last. @param indexOf the position of an id; -1: not in the list */
function inListOrder(ids: readonly string[], indexOf: (revisionId: string) => number): string[] {
  const positions = ids.map((id) => ({ id, index: indexOf(id) }));
  const rank = (index: number) => (index < 0 ? Number.MAX_SAFE_INTEGER : index);
  return positions.toSorted((a, b) => rank(a.index) - rank(b.index)).map(({ id }) => id);
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
