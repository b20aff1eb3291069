import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import type { AuditAnswer } from '#shared/contract/audit.ts';
import { administrationAnswers } from '#web/api/load-answer-schemas.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { readData } from '#web/api/request.ts';
import { queryOf, type AuditSearch } from './audit-address.ts';

const PAGE = 200;

const auditKeys = { all: ['audit'] as const };

/** All entries that match a filter, newest first, page by page; a page may be empty without being the last. */
export const auditQuery = (filter: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: [...auditKeys.all, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      readPage(filter, pageParam === null ? {} : { after: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.pagination.next,
    staleTime: 0,
    // Refetching all pages would take long after much scrolling; `newAuditQuery` adds what is new.
    refetchOnWindowFocus: false,
  });

/** How often new entries are looked for while the page is visible, in milliseconds. */
const LOOK_EVERY = 10_000;

/**
 * Adds entries to the loaded list that are newer than its first one, unless there are more than a page of them. Older
 * entries never change.
 */
export const newAuditQuery = (client: QueryClient, filter: AuditSearch) => {
  const { queryKey } = auditQuery(filter);
  return queryOptions({
    queryKey: [...auditKeys.all, 'new', filter],
    queryFn: async ({ signal }) => {
      const known = client.getQueryData(queryKey)?.pages ?? [];
      const first = known.flatMap(({ entries }) => entries)[0];
      const bounds = first ? { from: first.at } : {};
      let page = await readPage(filter, bounds, signal);
      let entries = page.entries;
      const { chain } = page.meta;
      const reachesKnown = () => (first ? isIn(entries, first) : isSearched(known, page));
      for (;;) {
        const { next } = page.meta.pagination;
        if (reachesKnown() || entries.length >= PAGE || next === null) break;
        page = await readPage(filter, { ...bounds, after: next }, signal);
        entries = [...entries, ...page.entries];
      }
      if (reachesKnown()) {
        client.setQueryData(queryKey, (list) => list && withNew(list, entries, chain));
      }
      // More than a page came in between.
      else await client.resetQueries({ queryKey });
      return entries.length;
    },
    staleTime: 0,
    refetchInterval: LOOK_EVERY,
    refetchOnWindowFocus: 'always',
  });
};

type AuditPages = InfiniteData<AuditAnswer>;
type Entry = AuditAnswer['entries'][number];

const isIn = (entries: readonly Entry[], { historyId }: Entry) =>
  entries.some((entry) => entry.historyId === historyId);

/** Whether a page without entries ends where the loaded pages, without entries too, were searched. */
function isSearched(known: readonly AuditAnswer[], { meta }: AuditAnswer): boolean {
  const { next } = meta.pagination;
  const end = known[0]?.meta.pagination.next ?? null;
  return next === null || (end !== null && Number(next) <= Number(end));
}

function withNew(
  list: AuditPages,
  entries: readonly Entry[],
  chain: AuditAnswer['meta']['chain'],
): AuditPages {
  const [first, ...older] = list.pages;
  if (!first) return list;
  const known = list.pages.flatMap((page) => page.entries);
  const added = entries.filter((entry) => !isIn(known, entry));
  const page = { entries: [...added, ...first.entries], meta: { ...first.meta, chain } };
  return { ...list, pages: [page, ...older] };
}

/** @param bounds parameters beside those of the filter */
function readPage(
  filter: AuditSearch,
  bounds: { readonly after?: string; readonly from?: string },
  signal: AbortSignal,
): Promise<AuditAnswer> {
  const query = queryOf(filter);
  query.set('limit', String(PAGE));
  for (const [name, value] of Object.entries(bounds)) query.set(name, value);
  return readData(`${administrationPaths.audit()}?${query}`, {
    signal,
    parse: async (raw) => (await administrationAnswers()).auditAnswer.parse(raw),
  });
}

/** One entry, with the record at that time. Neither ever changes. */
export const auditEntryQuery = (historyId: string) =>
  queryOptions({
    queryKey: [...auditKeys.all, 'entry', historyId],
    queryFn: ({ signal }) =>
      readData(administrationPaths.auditEntry(historyId), {
        signal,
        parse: async (raw) => (await administrationAnswers()).auditEntryAnswer.parse(raw),
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
