import { datasetIdsInWorker, datasetsPageInWorker } from './datasets.reads.ts';
import { listCountInWorker } from '../records/records.reads.ts';
import { answerHistoryInWorker } from '../history/history.reads.ts';
import { type AnyRoute, defineRead, defineRoute } from '#server/http/route.ts';
import * as answers from '#shared/contract/answers.ts';
import { changeDatasetBody } from '#shared/contract/requests.ts';
import { COUNT_PARAMETERS, ID_PARAMETERS, LIST_PARAMETERS } from '../records/lists.service.ts';
import { writerOf, jridOf } from '../records/write-request.ts';
import { analysisRoutes } from './analysis.routes.ts';
import { batchRoutes, creationRoute } from './dataset-batches.routes.ts';
import { changeDataset, getDataset } from './datasets.service.ts';
import { answerRecord } from '../checks/answer-record.ts';

const DATASETS = '{tables}/:guid/datasets';
const DATASET = `${DATASETS}/:jrid`;

/** The call that changes one dataset. */
const changeRoute = defineRoute({
  method: 'PUT',
  path: DATASET,
  summary: 'Change columns of one dataset',
  target: 'table',
  access: 'write',
  body: changeDatasetBody,
  answer: answers.datasetsAnswer,
  async handle(db, request) {
    const { target, body, params, ifMatch } = request;
    const change = { jrid: jridOf(params), values: body.dataset, ifMatch };
    const record = await changeDataset(db, target, writerOf(request), change);
    return answerRecord(db, target, record);
  },
});

/** The calls that list, and count, the datasets that match. */
const listRoutes: AnyRoute[] = [
  defineRead({
    path: DATASETS,
    summary: 'List datasets',
    target: 'table',
    parameters: LIST_PARAMETERS,
    answer: answers.datasetListAnswer,
    async handle(db, { client, target, query }) {
      return { json: await datasetsPageInWorker(db, client.acceptsGzip, target, query) };
    },
  }),
  defineRead({
    path: `${DATASETS}/ids`,
    summary: 'The ids of all datasets that match, at most 100,000',
    target: 'table',
    parameters: ID_PARAMETERS,
    answer: answers.jridsAnswer,
    async handle(db, { client, target, query }) {
      return { json: await datasetIdsInWorker(db, client.acceptsGzip, target, query) };
    },
  }),
  defineRead({
    path: `${DATASETS}/count`,
    summary: 'How many datasets match',
    target: 'table',
    parameters: COUNT_PARAMETERS,
    answer: answers.countAnswer,
    async handle(db, { target, query }) {
      return { body: { count: await listCountInWorker(db, target, query) } };
    },
  }),
];

/** The calls that read one dataset and its history. */
const recordRoutes: AnyRoute[] = [
  defineRead({
    path: DATASET,
    summary: 'Read one dataset',
    target: 'table',
    answer: answers.datasetsAnswer,
    async handle(db, { target, params }) {
      const record = await getDataset(db, target, jridOf(params));
      return answerRecord(db, target, record);
    },
  }),
  defineRead({
    path: `${DATASET}/history`,
    summary: 'The history of a dataset, newest first',
    target: 'table',
    answer: answers.historyAnswer,
    async handle(db, { target, params }) {
      const jrid = jridOf(params);
      const body = await answerHistoryInWorker(db, target, jrid);
      if (body.history.length === 0) await getDataset(db, target, jrid);
      return { body };
    },
  }),
];

/**
 * The calls about the records of data tables (docs/interface/rest-interface.md, sections 4.3 and 4.4;
 * docs/interface/decisions.md, section 7).
 */
export function datasetRoutes({ maxBatch }: { readonly maxBatch: number }): AnyRoute[] {
  return [
    creationRoute(maxBatch),
    changeRoute,
    ...batchRoutes(maxBatch),
    ...listRoutes,
    ...recordRoutes,
    ...analysisRoutes(),
  ];
}
