import * as texts from '#messages/service/records.ts';
import { documentsPageInWorker, indexPageInWorker } from './documents.reads.ts';
import { listOptionsInWorker } from '../records/records.reads.ts';
import { requireValid } from '#server/http/query.ts';
import { type AnyRoute, defineRead, defineRoute } from '#server/http/route.ts';
import { recordIdOf, writerOf } from '../records/write-request.ts';
import * as answers from '#shared/contract/answers.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { lockBody } from '#shared/contract/requests.ts';
import { QueryReader } from '#shared/rules/query-reader.ts';
import { indexOfName } from '#shared/rules/names.ts';
import { LIST_PARAMETERS } from '../records/lists.service.ts';
import { deleteRevision, setLock } from './documents.service.ts';
import { indexDataRoutes } from './index-data.routes.ts';
import { revisionDetail } from './revision-detail.ts';
import { answerRecord } from '../checks/answer-record.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { historyRoute, matchRoutes } from '../records/record-calls.ts';
import { getRecord } from '../records/records.service.ts';
import { optionsColumn } from '../records/options-column.ts';
import { visibleCollections } from '../rights/rights.service.ts';

const ARCHIVE = '{archives}/:archive';
const REVISION = `${ARCHIVE}/documents/:revisionId`;

/** The calls that list, and count, the revisions that match. */
const listRoutes: AnyRoute[] = [
  defineRead({
    path: `${ARCHIVE}/index`,
    summary: 'List the index data of revisions',
    target: 'archive',
    parameters: LIST_PARAMETERS,
    answer: answers.indexAnswer,
    async handle(db, { client, target, query }) {
      return { json: await indexPageInWorker(db, client.acceptsGzip, target, query) };
    },
  }),
  defineRead({
    path: `${ARCHIVE}/documents`,
    summary: 'List revisions with keywords and files',
    target: 'archive',
    parameters: LIST_PARAMETERS,
    answer: answers.documentsAnswer,
    async handle(db, { client, target, query }) {
      return { json: await documentsPageInWorker(db, client.acceptsGzip, target, query) };
    },
  }),
  ...matchRoutes('archive', `${ARCHIVE}/index`),
];

const listOptionsRoute = (definitions: Definitions): AnyRoute =>
  defineRead({
    path: `${ARCHIVE}/indices/:indexfield/listoptions`,
    summary: 'The options of an index field, or its values in use, most used first',
    description:
      'Where the field takes its options from a table, values in use are followed by others of this table, if the caller sees it.',
    target: 'archive',
    parameters: { q: 'a part of the value' },
    answer: answers.listOptionsAnswer,
    async handle(db, { caller, target, params, query }) {
      const name = params['indexfield'] ?? '';
      const fieldIndex = indexOfName(target.fields, name);
      const field = target.fields[fieldIndex];
      if (!field) throw new ApiError('not_found', texts.noIndexField({ name }));
      const reader = new QueryReader(query, ['q']);
      requireValid(reader);
      const q = reader.text('q') ?? '';
      // Definitions and rights are read only where options come from a table.
      const visible = field.optionsFrom && (await visibleCollections(db, definitions, caller));
      const tables = visible?.tables.map(({ collection }) => collection) ?? [];
      const from = field.optionsFrom && optionsColumn(field.optionsFrom, tables);
      return { body: { listoptions: await listOptionsInWorker(db, target, fieldIndex, from, q) } };
    },
  });

/** The calls about one revision: its values, its lock, its deletion and its history. */
const revisionRoutes: AnyRoute[] = [
  defineRead({
    path: REVISION,
    summary: 'Read one revision',
    target: 'archive',
    answer: answers.revisionDetailAnswer,
    async handle(db, request) {
      const { target } = request;
      const record = await getRecord(db, target, recordIdOf(request));
      return answerRecord(db, target, record, await revisionDetail(db, target, record));
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: REVISION,
    summary: 'Lock or unlock a revision',
    target: 'archive',
    access: 'write',
    body: lockBody,
    answer: answers.revisionDetailAnswer,
    async handle(db, request) {
      const { target, body, ifMatch } = request;
      const change = { revisionId: recordIdOf(request), locked: body.locked, ifMatch };
      const record = await setLock(db, target, writerOf(request), change);
      return answerRecord(db, target, record, await revisionDetail(db, target, record));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: REVISION,
    summary: 'Delete a revision',
    target: 'archive',
    access: 'manage',
    answer: null,
    async handle(db, request) {
      const { target, ifMatch } = request;
      await deleteRevision(db, target, writerOf(request), recordIdOf(request), ifMatch);
      return {};
    },
  }),
  historyRoute('archive', REVISION),
];

/**
 * The calls about index data and revisions (docs/interface/rest-interface.md, sections 4.1 and 4.2;
 * docs/interface/decisions.md, sections 5 and 6).
 */
export function documentRoutes(
  { maxBatch }: { readonly maxBatch: number },
  definitions: Definitions,
): AnyRoute[] {
  return [
    ...indexDataRoutes(maxBatch),
    ...listRoutes,
    listOptionsRoute(definitions),
    ...revisionRoutes,
  ];
}
