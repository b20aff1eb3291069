import { queryOptions } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { listQueryString } from '#web/api/list-view.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read } from '#web/api/request.ts';

/** As many revisions tell what is usual. */
const SAMPLE = 200;
/** Fewer tell nothing. */
const FEWEST = 5;

/**
 * The places of the index fields that at least half of the archive's newest revisions have filled, as far as
 * they are read; null: too few revisions to tell.
 */
export const usuallyFilledQuery = ({ table }: ArchiveDetail) =>
  queryOptions({
    queryKey: [...archiveKeys.one(table), 'usually-filled'],
    queryFn: async ({ signal }): Promise<ReadonlySet<string> | null> => {
      const query = listQueryString({ sort: ['-revisionId'] }, { limit: SAMPLE });
      const { data } = await read(apiPaths.index(table) + query, {
        signal,
        parse: async (raw) => (await answers()).indexAnswer.parse(raw).archivedocuments,
      });
      if (data.length < FEWEST) return null;
      const filled = new Map<string, number>();
      for (const { name, value } of data.flatMap(({ indexFields }) => indexFields)) {
        if (value !== null && value !== '') filled.set(name, (filled.get(name) ?? 0) + 1);
      }
      const usual = [...filled].filter(([, count]) => count * 2 >= data.length);
      return new Set(usual.map(([name]) => `indexFields.${name}`));
    },
    // What is usual does not change with each save.
    staleTime: 'static',
    retry: false,
  });
