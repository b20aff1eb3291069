import { apart } from '#server/apart/procedures.ts';
import type { Db } from '#server/db/database.ts';
import type { Table } from '#server/db/records/thing.ts';
import { type AnyRoute, defineRead, defineRoute } from '#server/http/route.ts';
import * as answers from '#shared/answers.ts';
import { ApiError } from '#shared/errors.ts';
import { etagOf } from '#shared/etags.ts';
import {
  changeDatasetBody,
  changeDatasetsBody,
  createDatasetsBody,
  deleteDatasetsBody,
  jridSchema,
  undoBody,
} from '#shared/requests.ts';
import { readNewestHistoryIds } from '../history/history.service.ts';
import { COUNT_PARAMETERS, ID_PARAMETERS, LIST_PARAMETERS } from '../records/lists.service.ts';
import { etagsOf } from '../records/etags.ts';
import { idParameter, writerOf } from '../records/request.ts';
import {
  changeDataset,
  changeDatasets,
  createDataset,
  createDatasets,
  deleteDatasets,
  getDataset,
} from './datasets.service.ts';
import { toDataset } from './present.ts';
import { undo } from './undo.service.ts';

const DATASETS = '{tables}/:guid/datasets';
const DATASET = `${DATASETS}/:jrid`;

const reads: AnyRoute[] = [
  defineRead({
    path: DATASETS,
    summary: 'List datasets',
    target: 'table',
    parameters: LIST_PARAMETERS,
    answer: answers.datasetListAnswer,
    async handle(db, { client, target, query }) {
      return { json: await apart.datasetsPage(db, client.takesGzip, target, query) };
    },
  }),
  defineRead({
    path: `${DATASETS}/ids`,
    summary: 'The ids of all datasets that match, at most 100,000',
    target: 'table',
    parameters: ID_PARAMETERS,
    answer: answers.jridsAnswer,
    async handle(db, { client, target, query }) {
      return { json: await apart.datasetIds(db, client.takesGzip, target, query) };
    },
  }),
  defineRead({
    path: `${DATASETS}/count`,
    summary: 'How many datasets match',
    target: 'table',
    parameters: COUNT_PARAMETERS,
    answer: answers.countAnswer,
    async handle(db, { target, query }) {
      return { body: { count: await apart.listCount(db, target, query) } };
    },
  }),
  defineRead({
    path: DATASET,
    summary: 'Read one dataset',
    target: 'table',
    answer: answers.datasetsAnswer,
    async handle(db, { target, params }) {
      const record = await getDataset(db, target, jridOf(params));
      return {
        body: { datasets: [toDataset(target, record)] },
        headers: { etag: etagOf(record.version) },
      };
    },
  }),
  defineRead({
    path: `${DATASET}/history`,
    summary: 'The history of a dataset, newest first',
    target: 'table',
    answer: answers.historyAnswer,
    async handle(db, { target, params }) {
      const jrid = jridOf(params);
      const body = await apart.answerHistory(db, target, jrid);
      if (body.history.length === 0) await getDataset(db, target, jrid);
      return { body };
    },
  }),
];

const writes = (maxBatch: number): AnyRoute[] => {
  const checkSize = (count: number) => {
    if (count > maxBatch) {
      throw new ApiError(
        'validation_failed',
        `At most ${maxBatch} records can be written at once.`,
      );
    }
  };
  return [
    defineRoute({
      method: 'POST',
      path: DATASETS,
      summary: 'Create one dataset, or several at once',
      target: 'table',
      access: 'write',
      query: 'none',
      body: createDatasetsBody,
      answer: answers.datasetsAnswer,
      status: 200,
      mode: 'write',
      async handle(db, request) {
        const { target, body } = request;
        if ('dataset' in body) {
          const record = await createDataset(db, target, writerOf(request), body.dataset);
          return {
            body: { datasets: [toDataset(target, record)] },
            headers: { etag: etagOf(record.version) },
            records: [record],
          };
        }
        checkSize(body.datasets.length);
        const records = await createDatasets(db, target, writerOf(request), body.datasets);
        const datasets = records.map((record) => toDataset(target, record));
        const ids = records.map(({ id }) => id);
        const historyIds = await historyIdsOf(db, target, ids);
        return { body: { datasets, meta: { etags: etagsOf(records), historyIds } }, records };
      },
    }),
    defineRoute({
      method: 'PUT',
      path: DATASET,
      summary: 'Change columns of one dataset',
      target: 'table',
      access: 'write',
      query: 'none',
      body: changeDatasetBody,
      answer: answers.datasetsAnswer,
      status: 200,
      mode: 'write',
      async handle(db, request) {
        const { target, body, params, ifMatch } = request;
        const record = await changeDataset(
          db,
          target,
          writerOf(request),
          jridOf(params),
          body.dataset,
          ifMatch,
        );
        return {
          body: { datasets: [toDataset(target, record)] },
          headers: { etag: etagOf(record.version) },
          records: [record],
        };
      },
    }),
    defineRoute({
      method: 'PUT',
      path: DATASETS,
      summary: 'Change columns of several datasets at once',
      target: 'table',
      access: 'write',
      query: 'none',
      body: changeDatasetsBody,
      answer: answers.datasetsAnswer,
      status: 200,
      mode: 'write',
      async handle(db, request) {
        const { target, body } = request;
        checkSize(body.datasets.length);
        const writer = writerOf(request);
        const { records, changedIds } = await changeDatasets(db, target, writer, body.datasets);
        const datasets = records.map((record) => toDataset(target, record));
        const historyIds = await historyIdsOf(db, target, changedIds);
        return { body: { datasets, meta: { etags: etagsOf(records), historyIds } }, records };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: DATASETS,
      summary: 'Delete datasets',
      target: 'table',
      access: 'manage',
      query: 'none',
      body: deleteDatasetsBody,
      answer: null,
      status: 204,
      mode: 'write',
      async handle(db, request) {
        checkSize(request.body.datasets.length);
        await deleteDatasets(db, request.target, writerOf(request), request.body.datasets);
        return {};
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${DATASETS}/undo`,
      summary: 'Undo creations, changes and deletions of your own',
      target: 'table',
      access: 'write',
      query: 'none',
      body: undoBody,
      answer: answers.datasetsAnswer,
      status: 200,
      mode: 'write',
      async handle(db, request) {
        const { target, access, body } = request;
        checkSize(body.historyIds.length);
        const records = await undo(db, target, writerOf(request), access, body.historyIds);
        const datasets = records.map((record) => toDataset(target, record));
        return { body: { datasets, meta: { etags: etagsOf(records) } }, records };
      },
    }),
  ];
};

/** The calls about the records of data tables (interface, sections 4.3 and 4.4; decisions, section 7). */
export function datasetRoutes({ maxBatch }: { readonly maxBatch: number }): AnyRoute[] {
  return [...writes(maxBatch), ...reads];
}

/**
 * By jrid, what `datasets/undo` takes to revert what this call has written. Until the end of the write no other one can
 * write these datasets, so the newest entry of each is the call's own.
 * @param ids of the datasets that the call has created or changed
 */
async function historyIdsOf(
  db: Db,
  table: Table,
  ids: readonly number[],
): Promise<Record<string, string>> {
  const newest = await readNewestHistoryIds(db, table, ids);
  return Object.fromEntries(
    [...newest].map(([jrid, historyId]) => [String(jrid), String(historyId)]),
  );
}

function jridOf(params: Readonly<Record<string, string>>): number {
  return idParameter(jridSchema, params['jrid'], 'There is no record of this jrid in this table.');
}
