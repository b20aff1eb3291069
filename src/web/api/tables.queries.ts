import { queryOptions } from '@tanstack/react-query';
import type { TableDetail } from '#shared/contract/answers.ts';
import { answers, onlyItem } from './load-answer-schemas.ts';
import { apiPaths } from './api-paths.ts';
import { needPatternsOf } from './patterns.ts';
import { readData } from './request.ts';

/** Keys of everything read about tables: what belongs to one table starts with `tableKeys.one(guid)`. */
export const tableKeys = {
  all: ['tables'] as const,
  one: (guid: string) => ['tables', guid] as const,
};

/** The tables the user may see, in the order of their definition. */
export const tablesQuery = queryOptions({
  queryKey: [...tableKeys.all, 'list'],
  queryFn: ({ signal }) =>
    readData(apiPaths.tables(), {
      signal,
      parse: async (raw) => (await answers()).tablesAnswer.parse(raw).tables,
    }),
  staleTime: 60_000,
});

/** One table with its columns. */
export const tableQuery = (guid: string) =>
  queryOptions({
    queryKey: [...tableKeys.one(guid), 'definition'],
    queryFn: ({ signal }) =>
      readData(apiPaths.table(guid), {
        signal,
        parse: async (raw): Promise<TableDetail> => {
          const table = onlyItem((await answers()).tableAnswer.parse(raw).tables);
          needPatternsOf(table.columns);
          return table;
        },
      }),
    staleTime: 60_000,
  });
