import type { Transaction } from '#server/database/database.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Table } from '#server/database/records/collection.ts';
import { type Answer, type AnyRoute, defineRoute } from '#server/http/route.ts';
import * as answers from '#shared/contract/answers.ts';
import {
  changeDatasetsBody,
  createDatasetsBody,
  deleteDatasetsBody,
  undoBody,
  type ChangeDatasetsBody,
  type CreateDatasetsBody,
  type DeleteDatasetsBody,
  type UndoBody,
} from '#shared/contract/requests.ts';
import { readNewestHistoryIds } from '../history/history.service.ts';
import { batchWrite } from '../records/batch-writes.ts';
import type { ChangedRecords } from '../records/records.service.ts';
import { writerOf } from '../records/write-request.ts';
import {
  createDataset,
  planDatasetChanges,
  planDeletions,
  planNewDatasets,
} from './datasets.service.ts';
import { planUndo } from '../records/undo.service.ts';
import { answerRecord, answerRecords } from '../checks/answer-record.ts';

const DATASETS = '{tables}/:guid/datasets';

/** The calls that change, delete and undo several datasets. */
export const batchRoutes = (maxBatch: number): AnyRoute[] => [
  batchChangeRoute(maxBatch),
  deletionRoute(maxBatch),
  undoRoute(maxBatch),
];

/** The call that creates one dataset, or several. */
export function creationRoute(maxBatch: number): AnyRoute {
  const creations = batchWrite<'table', CreateDatasetsBody, StoredRecord[]>(maxBatch, {
    count: (body) => ('datasets' in body ? body.datasets.length : 1),
    plan(db, request) {
      const { target, body } = request;
      const datasets = 'datasets' in body ? body.datasets : [body.dataset];
      return planNewDatasets(db, target, writerOf(request), datasets);
    },
    answer(db, { target }, records) {
      const ids = records.map(({ id }) => id);
      return answerBatch(db, target, records, ids);
    },
  });
  return defineRoute({
    method: 'POST',
    path: DATASETS,
    summary: 'Create one dataset, or several at once',
    target: 'table',
    access: 'write',
    body: createDatasetsBody,
    answer: answers.datasetsAnswer,
    ...creations,
    async handle(db, request) {
      const { target, body } = request;
      if ('datasets' in body) return creations.handle(db, request);
      const record = await createDataset(db, target, writerOf(request), body.dataset);
      return answerRecord(db, target, record);
    },
  });
}

/** The call that changes several datasets. */
function batchChangeRoute(maxBatch: number): AnyRoute {
  return defineRoute({
    method: 'PUT',
    path: DATASETS,
    summary: 'Change columns of several datasets at once',
    target: 'table',
    access: 'write',
    body: changeDatasetsBody,
    answer: answers.datasetsAnswer,
    ...batchWrite<'table', ChangeDatasetsBody, ChangedRecords>(maxBatch, {
      count: ({ datasets }) => datasets.length,
      plan(db, request) {
        const { target, body, ifMatch } = request;
        return planDatasetChanges(db, target, writerOf(request), body.datasets, ifMatch);
      },
      answer: (db, { target }, { records, changedIds }) =>
        answerBatch(db, target, records, changedIds),
    }),
  });
}

/** The call that deletes datasets. */
function deletionRoute(maxBatch: number): AnyRoute {
  return defineRoute({
    method: 'DELETE',
    path: DATASETS,
    summary: 'Delete datasets',
    target: 'table',
    access: 'manage',
    body: deleteDatasetsBody,
    answer: null,
    ...batchWrite<'table', DeleteDatasetsBody, void>(maxBatch, {
      count: ({ datasets }) => datasets.length,
      plan(db, request) {
        const { target, body, ifMatch } = request;
        return planDeletions(db, target, writerOf(request), body.datasets, ifMatch);
      },
      answer: () => Promise.resolve({}),
    }),
  });
}

/** The call that undoes writes of the caller. */
function undoRoute(maxBatch: number): AnyRoute {
  return defineRoute({
    method: 'POST',
    path: `${DATASETS}/undo`,
    summary: 'Undo creations, changes and deletions of the caller',
    target: 'table',
    access: 'write',
    body: undoBody,
    answer: answers.datasetsAnswer,
    ...batchWrite<'table', UndoBody, StoredRecord[]>(maxBatch, {
      count: ({ historyIds }) => historyIds.length,
      plan(db, request) {
        const { target, access, body } = request;
        const entries = { historyIds: body.historyIds, path: 'datasets' };
        return planUndo(db, target, writerOf(request), access, entries);
      },
      answer: (db, { target }, records) => answerRecords(db, target, records),
    }),
  });
}

/**
 * Answers datasets, with the history entries that `datasets/undo` needs to revert the call.
 * @param ids of the datasets that the call has created or changed
 */
async function answerBatch(
  db: Transaction,
  table: Table,
  records: readonly StoredRecord[],
  ids: readonly number[],
): Promise<Answer> {
  // Until the end of the write no other one can write these datasets, so the newest entry of each is the call's own.
  const newest = await readNewestHistoryIds(db, table, ids);
  const historyIds = Object.fromEntries(
    [...newest].map(([jrid, historyId]) => [String(jrid), String(historyId)]),
  );
  return answerRecords(db, table, records, { historyIds });
}
