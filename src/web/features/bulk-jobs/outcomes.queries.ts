import * as commonTexts from '#messages/common.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  AnsweredBulkEdit,
  BulkEditRevision,
  Outcome,
} from '#shared/contract/bulk-edit-answers.ts';
import { taskAnswers } from '#web/api/load-answer-schemas.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { readData } from '#web/api/request.ts';
import { bulkKeys, isInProgress } from './bulk-jobs.queries.ts';

const PAGE_SIZE = 200;
/** How often the records of a running job are counted, in milliseconds. */
const COUNT_INTERVAL = 1_000;

const UNDER_WAY = 'under way';

/**
 * A part of the keys of what is read again in another state of a bulk edit, or when it has come to the same one with other
 * counts, and not between those in progress.
 */
export function stateKeyOf(bulkEdit: AnsweredBulkEdit): string {
  const { state, counts } = bulkEdit;
  return isInProgress(bulkEdit) ? UNDER_WAY : JSON.stringify([state, counts]);
}

/**
 * The records of a bulk edit with an outcome, page by page.
 * @param stateKey of `stateKeyOf`
 */
export const outcomeQuery = (
  collection: CollectionRef,
  id: string,
  outcome: Outcome,
  stateKey: string,
) =>
  infiniteQueryOptions({
    queryKey: [...bulkKeys.one(collection, id), 'records', outcome, stateKey],
    initialPageParam: '',
    queryFn: async ({ signal, pageParam }) => {
      const query = new URLSearchParams({ outcome, limit: String(PAGE_SIZE) });
      if (pageParam !== '') query.set('after', pageParam);
      return await readRecords(collection, id, query, signal);
    },
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
    staleTime: 'static',
    // The keys of other states contain the counts; this one is always the same. A job that was paused may be continued,
    // also elsewhere, and is then under way again with other records: pages of the time before must not be shown.
    ...(stateKey === UNDER_WAY ? { gcTime: 0 } : {}),
  });

/** The outcome of one record of a bulk edit. */
export interface JobRecord extends Omit<BulkEditRevision, 'revisionId' | 'line'> {
  /** the row of the file; null: the record exists */
  readonly line: number | null;
  /** the revisionId or jrid; null: it does not exist yet */
  readonly id: string | null;
  /** the id; for a record that does not exist yet the row of the file */
  readonly title: string;
}

function recordOf(
  id: string | null,
  {
    line = null,
    ...rest
  }: Omit<JobRecord, 'id' | 'title' | 'line'> & { line?: number | null | undefined },
): JobRecord {
  const title = id ?? (line === null ? '' : commonTexts.row(line));
  return { ...rest, id, line, title };
}

async function readRecords(
  collection: CollectionRef,
  id: string,
  query: URLSearchParams,
  signal: AbortSignal,
) {
  return readData(`${apiPaths.bulkEditRecords(collection, id)}?${query}`, {
    signal,
    parse: async (raw) => {
      const schemas = await taskAnswers();
      if (collection.kind === 'archive') {
        const { revisions, meta } = schemas.bulkEditRevisionsAnswer.parse(raw);
        return {
          records: revisions.map(({ revisionId, ...rest }) => recordOf(revisionId, rest)),
          meta,
        };
      }
      const { datasets, meta } = schemas.bulkEditDatasetsAnswer.parse(raw);
      return { records: datasets.map(({ jrid, ...rest }) => recordOf(jrid, rest)), meta };
    },
  });
}

/** The number of records with an outcome; polled while the job is in progress. */
export const outcomeTotalQuery = (
  collection: CollectionRef,
  bulkEdit: AnsweredBulkEdit,
  outcome: Outcome,
) =>
  queryOptions({
    queryKey: [
      ...bulkKeys.one(collection, bulkEdit.bulkEditId),
      'total',
      outcome,
      stateKeyOf(bulkEdit),
    ],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ outcome, limit: '1' });
      const { meta } = await readRecords(collection, bulkEdit.bulkEditId, query, signal);
      return meta.pagination.total;
    },
    staleTime: 'static',
    refetchInterval: isInProgress(bulkEdit) ? COUNT_INTERVAL : false,
  });
