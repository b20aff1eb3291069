import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { administrationAnswers } from '#web/api/load-answer-schemas.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { read } from '#web/api/request.ts';
import { queryOf, type AuditFilter } from './audit-address.ts';

const PAGE = 200;

const auditKeys = { all: ['audit'] as const };

/** All entries that match a filter, newest first, page by page; a page may be empty without being the last. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...auditKeys.all, 'list', filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = queryOf(filter);
      query.set('limit', String(PAGE));
      if (pageParam !== null) query.set('after', pageParam);
      const { data } = await read(`${administrationPaths.audit()}?${query}`, {
        signal,
        parse: async (raw) => (await administrationAnswers()).auditAnswer.parse(raw),
      });
      return data;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.pagination.next,
    staleTime: 0,
    // Refetching all pages would take long after much scrolling.
    refetchOnWindowFocus: false,
  });

/** One entry, with the record at that time. Neither ever changes. */
export const auditEntryQuery = (historyId: string) =>
  queryOptions({
    queryKey: [...auditKeys.all, 'entry', historyId],
    queryFn: async ({ signal }) => {
      const { data } = await read(administrationPaths.auditEntry(historyId), {
        signal,
        parse: async (raw) => (await administrationAnswers()).auditEntryAnswer.parse(raw),
      });
      return data;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
