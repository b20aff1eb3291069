import { queryOptions } from '@tanstack/react-query';
import type { AnsweredStatistics, ValueGroup } from '#shared/contract/table-analysis-answers.ts';
import { taskAnswers } from '#web/api/load-answer-schemas.ts';
import { type ListFilter, listQuery } from '#web/api/list-view.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { readValueGroups } from '#web/api/record-lists.ts';
import { readData } from '#web/api/request.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { pause } from '#web/api/create-store.ts';
import { type Suggest, suggestionsKey } from '#web/fields/use-suggestions.ts';
import type { ListReading } from '../datasets.queries.ts';

interface GroupsRequest {
  readonly by: string;
  readonly sums: readonly string[];
  readonly sort: '-count' | 'value';
  /** a part of the value, for texts; '' for all */
  readonly like: string;
}

interface Groups {
  readonly groups: readonly ValueGroup[];
  readonly total: number;
}

/** As many values as a user can look through; more are found by text. */
const MAX_GROUPS = 200;

const groupsKey = (guid: string) => [...tableKeys.one(guid), 'groups'] as const;
const statisticsKey = (guid: string) => [...tableKeys.one(guid), 'facts'] as const;

/** The values of a column among the matches, each with its count, and sums. */
export const groupsQuery = (guid: string, view: ListFilter, request: GroupsRequest) =>
  queryOptions({
    queryKey: [...groupsKey(guid), view.where ?? [], view.q ?? '', request],
    queryFn: async ({ signal }): Promise<Groups> => {
      if (request.like !== '') await pause(150, signal);
      const { by, sums, sort, like } = request;
      const parameters = { by, sum: sums.join(','), sort, like, limit: MAX_GROUPS };
      const { groups, meta } = await readValueGroups(
        { kind: 'table', id: guid },
        view,
        parameters,
        signal,
      );
      return { groups, total: meta.pagination.total ?? groups.length };
    },
    // The values of another column would be shown as those of this one.
    placeholderData: (before) =>
      before?.groups.every(({ values }) => request.by in values) ? before : undefined,
  });

/** The statistics of columns over all matches. */
export const statisticsQuery = (guid: string, view: ListFilter, columns: readonly string[]) =>
  queryOptions({
    queryKey: [...statisticsKey(guid), view.where ?? [], view.q ?? '', columns],
    queryFn: ({ signal }) => {
      const { where = [], q = '' } = view;
      return readFacts(guid, columns, listQuery({ where, q }), signal);
    },
  });

function readFacts(
  guid: string,
  columns: readonly string[],
  list: string,
  signal: AbortSignal,
): Promise<AnsweredStatistics> {
  // Without the parameter the service answers with all columns.
  const query = new URLSearchParams([['columns', columns.join(',')]]);
  return readData(`${apiPaths.datasetFacts(guid)}?${query}${list && `&${list}`}`, {
    signal,
    parse: async (raw) => (await taskAnswers()).statisticsAnswer.parse(raw),
  });
}

/** Delay in milliseconds: while a selection is extended step by step, only the last request is sent. */
const SELECTION_DEBOUNCE = 150;

/** Rows of a list; null: all matches, in any order. */
export interface RowRange {
  readonly offset: number;
  readonly limit: number;
}

interface RowStatistics {
  readonly reading: ListReading;
  /** changes with each save here: earlier results are outdated */
  readonly saved: number;
  readonly columns: readonly string[];
  readonly rows: RowRange | null;
}

/** The statistics of some rows of the sorted list. They are never refetched automatically. */
export const rowStatisticsQuery = (
  guid: string,
  { reading, saved, columns, rows }: RowStatistics,
) =>
  queryOptions({
    queryKey: [...rowStatisticsKey(guid), reading.number, saved, columns, rows],
    queryFn: async ({ signal }): Promise<AnsweredStatistics> => {
      await pause(SELECTION_DEBOUNCE, signal);
      const { where = [], q = '', sort = [] } = reading.view;
      const list = listQuery({ where, q, ...(rows ? { sort } : {}) }, { ...rows });
      return readFacts(guid, columns, list, signal);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

const rowStatisticsKey = (guid: string) => [...tableKeys.one(guid), 'facts of rows'] as const;

/** The queries that are refetched after a write. */
export const keysToRefetchAfterWrite = (guid: string) => [
  rowStatisticsKey(guid),
  statisticsKey(guid),
  groupsKey(guid),
];

const MAX_SUGGESTIONS = 30;

/** The values in use in a column that contain the typed text, most frequent first. */
export const suggestValues =
  (guid: string, column: string): Suggest =>
  (typed) => ({
    queryKey: suggestionsKey(guid, column, typed),
    queryFn: async ({ signal }) => {
      const { groups } = await readValueGroups(
        { kind: 'table', id: guid },
        {},
        { by: column, like: typed, limit: MAX_SUGGESTIONS },
        signal,
      );
      const values = groups.map(({ values }) => values[column] ?? null);
      return values.flatMap((value) => (value === null || value === '' ? [] : [String(value)]));
    },
  });
