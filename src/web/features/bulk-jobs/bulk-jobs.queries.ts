import * as commonTexts from '#messages/common.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  AnsweredBulkEdit,
  BulkEditRevision,
  Outcome,
} from '#shared/contract/bulk-edit-answers.ts';
import { taskAnswers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { apiPaths, type ListPlace } from '#web/api/paths.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { read } from '#web/api/request.ts';

/** Parses the response with one bulk edit. */
export async function parseBulkEdit(raw: unknown): Promise<AnsweredBulkEdit> {
  const [found] = (await taskAnswers()).bulkEditsAnswer.parse(raw).bulkedits;
  if (!found) throw new Error('The answer holds no bulk edit.');
  return found;
}

/** The query keys of bulk edits. */
export const bulkKeys = {
  all: ({ kind, id }: ListPlace) =>
    [...(kind === 'archive' ? archiveKeys.one(id) : tableKeys.one(id)), 'bulk-edits'] as const,
  one: (place: ListPlace, id: string) => [...bulkKeys.all(place), id] as const,
};

/** Milliseconds between looks at a job under way. */
const LOOK_EVERY = 400;
const ROWS_A_PAGE = 200;

/** Whether something is being done that the clerk waits to see the end of. */
export function isUnderWay({ state }: AnsweredBulkEdit): boolean {
  return state === 'applying' || state === 'undoing';
}

/** A bulk edit as it stands; looked at again and again while it is under way. */
export const bulkEditQuery = (place: ListPlace, id: string) =>
  queryOptions({
    queryKey: [...bulkKeys.one(place, id), 'state'],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.bulkEdit(place, id), { signal, parse: parseBulkEdit });
      return data;
    },
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? LOOK_EVERY : false),
  });

/** The user's batches of an archive or table that run, are being undone or are paused, among the newest 50. */
export const unfinishedBatchesQuery = (place: ListPlace) =>
  queryOptions({
    queryKey: [...bulkKeys.all(place), 'unfinished'],
    queryFn: async ({ signal }): Promise<readonly AnsweredBulkEdit[]> => {
      const { data } = await read(apiPaths.bulkEdits(place), {
        signal,
        parse: async (raw) => (await taskAnswers()).bulkEditListAnswer.parse(raw).bulkedits,
      });
      return data.filter((batch) => isUnderWay(batch) || batch.state === 'paused');
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_EVERY * 5 : false),
  });

/** The user's bulk edits of an archive or table, newest first. */
export const bulkEditsQuery = (place: ListPlace) =>
  infiniteQueryOptions({
    queryKey: [...bulkKeys.all(place), 'list'],
    initialPageParam: '',
    queryFn: async ({ signal, pageParam }) => {
      const query = pageParam === '' ? '' : `?${new URLSearchParams({ after: pageParam })}`;
      const { data } = await read(apiPaths.bulkEdits(place) + query, {
        signal,
        parse: async (raw) => (await taskAnswers()).bulkEditListAnswer.parse(raw),
      });
      return data;
    },
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ bulkedits }) => bulkedits.some(isUnderWay))
        ? LOOK_EVERY * 5
        : false,
  });

/**
 * The records of a bulk edit that have an outcome, page by page.
 * @param moment what tells apart the states in which they are looked at
 */
export const outcomeQuery = (place: ListPlace, id: string, outcome: Outcome, moment: string) =>
  infiniteQueryOptions({
    queryKey: [...bulkKeys.one(place, id), 'records', outcome, moment],
    initialPageParam: '',
    queryFn: async ({ signal, pageParam }) => {
      const query = new URLSearchParams({ outcome, limit: String(ROWS_A_PAGE) });
      if (pageParam !== '') query.set('after', pageParam);
      return await readRecords(place, id, query, signal);
    },
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
    staleTime: 'static',
  });

/** What becomes of one record of a bulk edit. */
export interface JobRecord extends Omit<BulkEditRevision, 'revisionId' | 'line'> {
  /** the revisionId or jrid; null: it does not exist yet */
  readonly id: string | null;
  /** the id; of a record that does not exist yet the row of the file */
  readonly title: string;
}

function titleOfRow(line: number | null): string {
  return line === null ? '' : commonTexts.row(line);
}

async function readRecords(
  place: ListPlace,
  id: string,
  query: URLSearchParams,
  signal: AbortSignal,
) {
  const { data } = await read(`${apiPaths.bulkEditRecords(place, id)}?${query}`, {
    signal,
    parse: async (raw) => {
      const schemas = await taskAnswers();
      if (place.kind === 'archive') {
        const { revisions, meta } = schemas.bulkEditRevisionsAnswer.parse(raw);
        const records = revisions.map(({ revisionId, line, ...rest }): JobRecord => ({
          id: revisionId,
          title: revisionId ?? titleOfRow(line ?? null),
          ...rest,
        }));
        return { records, meta };
      }
      const { datasets, meta } = schemas.bulkEditDatasetsAnswer.parse(raw);
      const records = datasets.map(({ jrid, line, ...rest }): JobRecord => ({
        id: jrid,
        title: jrid ?? titleOfRow(line),
        ...rest,
      }));
      return { records, meta };
    },
  });
  return data;
}

/** How many records have an outcome, which the counts of a table's job do not tell apart. */
export const outcomeTotalQuery = (place: ListPlace, id: string, outcome: Outcome, moment: string) =>
  queryOptions({
    queryKey: [...bulkKeys.one(place, id), 'total', outcome, moment],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ outcome, limit: '1' });
      const { meta } = await readRecords(place, id, query, signal);
      return meta.pagination.total;
    },
    staleTime: 'static',
  });
