import { queryOptions } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { answers, onlyItem } from './load-answer-schemas.ts';
import { apiPaths } from './api-paths.ts';
import { needPatternsOf } from './patterns.ts';
import { readData } from './request.ts';

/**
 * Query keys of everything about archives, nested by prefix: keys of one archive start with `archiveKeys.one(table)`,
 * so that one invalidation reaches list, revisions and counts.
 */
export const archiveKeys = {
  all: ['archives'] as const,
  one: (archive: string) => ['archives', archive] as const,
  /** the lists of revisions: their pages, counts and ids */
  lists: (archive: string) => ['archives', archive, 'index'] as const,
  revision: (archive: string, revisionId: string) =>
    ['archives', archive, 'revision', revisionId] as const,
  history: (archive: string, revisionId: string) =>
    ['archives', archive, 'history', revisionId] as const,
  queues: (archive: string) => ['archives', archive, 'queues'] as const,
  queue: (archive: string, queueId: string) => ['archives', archive, 'queues', queueId] as const,
  flags: (archive: string) => ['archives', archive, 'flags'] as const,
  /** how many revisions each view matches */
  viewCounts: (archive: string) => ['archives', archive, 'view counts'] as const,
};

/** The archives the user may see, in the order of their definition. */
export const archivesQuery = (username: string) =>
  queryOptions({
    queryKey: [...archiveKeys.all, { of: username }],
    queryFn: ({ signal }) =>
      readData(apiPaths.archives(username), {
        signal,
        parse: async (raw) => (await answers()).archivesAnswer.parse(raw).users.archives,
      }),
    staleTime: 60_000,
  });

/** One archive with the definitions of its fields. */
export const archiveQuery = (username: string, archive: string) =>
  queryOptions({
    queryKey: [...archiveKeys.one(archive), 'definition', { of: username }],
    queryFn: ({ signal }) =>
      readData(apiPaths.archive(username, archive), {
        signal,
        parse: async (raw): Promise<ArchiveDetail> => {
          const found = onlyItem((await answers()).archiveAnswer.parse(raw).users.archives);
          needPatternsOf(found.indexFieldDefinitions);
          return found;
        },
      }),
    staleTime: 60_000,
  });
