import { datasetsPageInWorker } from './datasets.reads.ts';
import { type AnyRoute, defineRead, defineRoute } from '#server/http/route.ts';
import * as answers from '#shared/contract/answers.ts';
import { changeDatasetBody } from '#shared/contract/requests.ts';
import { LIST_PARAMETERS } from '../records/lists.service.ts';
import { historyRoute, matchRoutes } from '../records/record-calls.ts';
import { getRecord } from '../records/records.service.ts';
import { recordIdOf, writerOf } from '../records/write-request.ts';
import { analysisRoutes } from './analysis.routes.ts';
import { batchRoutes, creationRoute } from './dataset-batches.routes.ts';
import { changeDataset } from './datasets.service.ts';
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
    const { target, body, ifMatch } = request;
    const change = { jrid: recordIdOf(request), values: body.dataset, ifMatch };
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
  ...matchRoutes('table', DATASETS),
];

/** The calls that read one dataset and its history. */
const recordRoutes: AnyRoute[] = [
  defineRead({
    path: DATASET,
    summary: 'Read one dataset',
    target: 'table',
    answer: answers.datasetsAnswer,
    async handle(db, request) {
      const record = await getRecord(db, request.target, recordIdOf(request));
      return answerRecord(db, request.target, record);
    },
  }),
  historyRoute('table', DATASET),
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
