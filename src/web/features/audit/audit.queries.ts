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

/** Adds entries to the loaded list that are newer than its first one. Older entries never change. */
export const newAuditQuery = (client: QueryClient, filter: AuditSearch) => {
  const { queryKey } = auditQuery(filter);
  return queryOptions({
    queryKey: [...auditKeys.all, 'new', filter],
    queryFn: async ({ signal }) => {
      const first = client.getQueryData(queryKey)?.pages[0]?.entries[0];
      const page = await readPage(filter, first ? { from: first.at } : {}, signal);
      const isWhole = first === undefined || isIn(page.entries, first);
      if (isWhole) client.setQueryData(queryKey, (list) => list && withNew(list, page));
      // More than a page came in between.
      else await client.resetQueries({ queryKey });
      return page.entries.length;
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

function withNew(list: AuditPages, { entries, meta }: AuditAnswer): AuditPages {
  const [first, ...older] = list.pages;
  if (!first) return list;
  const added = entries.filter((entry) => !isIn(first.entries, entry));
  const page = {
    entries: [...added, ...first.entries],
    meta: { ...first.meta, chain: meta.chain },
  };
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
