import * as texts from '#messages/service/records.ts';
import * as documentReads from './documents.reads.ts';
import * as recordReads from '../records/records.reads.ts';
import * as historyReads from '../history/history.reads.ts';
import { requireValid } from '#server/http/query.ts';
import { type AnyRoute, defineRead, defineRoute } from '#server/http/route.ts';
import { writerOf, revisionIdOf } from '../records/write-request.ts';
import * as answers from '#shared/contract/answers.ts';
import { ApiError } from '#shared/contract/errors.ts';
import {
  indexDataBody,
  lockBody,
  revisionsBody,
  type RevisionsBody,
} from '#shared/contract/requests.ts';
import { QueryReader, type QueryParameters } from '#shared/rules/query-reader.ts';
import { bulkEditIdSchema } from '#shared/contract/bulk-edit-requests.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { storeReceipt, markReverted } from '../bulk-edits/bulk-edits.service.ts';
import { findingsById } from '../checks/findings.service.ts';
import { indexOfName } from '#shared/rules/names.ts';
import { batchWrite, serializeList } from '../records/batches.ts';
import { etagsOf } from '../records/record-etags.ts';
import type { ChangedRecords } from '../records/records.service.ts';
import { COUNT_PARAMETERS, ID_PARAMETERS, LIST_PARAMETERS } from '../records/lists.service.ts';
import {
  changeRevision,
  deleteRevision,
  getRevision,
  planRevisionChanges,
  setLock,
  type WriteMode,
} from './documents.service.ts';
import { toRevision } from '../records/present-record.ts';
import { revisionDetail } from './revision-detail.ts';
import { answerRecord } from '../checks/answer-record.ts';

const ARCHIVE = '{archives}/:archive';
const REVISION = `${ARCHIVE}/documents/:revisionId`;

const changeOne = (
  method: 'PATCH' | 'PUT',
  mode: WriteMode,
  { summary }: { readonly summary: string },
): AnyRoute =>
  defineRoute({
    method,
    path: `${REVISION}/indexdata`,
    summary,
    target: 'archive',
    access: 'write',
    body: indexDataBody,
    answer: answers.revisionsAnswer,
    async handle(db, request) {
      const { target, params, body, ifMatch } = request;
      const id = revisionIdOf(params);
      const change = { mode, revisionId: id, body, ifMatch };
      const record = await changeRevision(db, target, writerOf(request), change);
      return answerRecord(db, target, record);
    },
  });

const changeMany = (
  method: 'PATCH' | 'PUT',
  mode: WriteMode,
  maxBatch: number,
  { summary }: { readonly summary: string },
): AnyRoute =>
  defineRoute({
    method,
    path: `${ARCHIVE}/indexdata`,
    summary,
    target: 'archive',
    access: 'write',
    parameters: {
      receipt: '`true`: the changes are stored as a bulk edit, which is listed and can be undone',
      takesBack:
        'the id of a bulk edit of the caller that these values revert: it is marked as undone',
    },
    checkQuery: readReceiptOptions,
    body: revisionsBody,
    answer: answers.revisionsAnswer,
    ...batchWrite<'archive', RevisionsBody, ChangedRecords>({
      count: ({ revisions }) => revisions.length,
      plan(db, request) {
        const { target, body, ifMatch } = request;
        if (body.revisions.length > maxBatch) {
          throw new ApiError('validation_failed', texts.tooManyRevisions({ max: maxBatch }));
        }
        return planRevisionChanges(db, target, writerOf(request), { ...body, mode, ifMatch });
      },
      async answer(db, request, { before, records }) {
        const { target, query, body } = request;
        const [writer, options] = [writerOf(request), readReceiptOptions(query)];
        if (options.revertsId !== null) {
          const ids = body.revisions.map(({ revisionId }) => revisionId);
          await markReverted(db, target, writer, options.revertsId, ids);
        }
        const bulkEditId = options.receipt
          ? await storeReceipt(db, target, writer, before, records)
          : null;
        const receipt = bulkEditId === null ? {} : { bulkEditId: String(bulkEditId) };
        const findings = await findingsById(db, target, records);
        const meta = () => ({ etags: etagsOf(records), findings, ...receipt });
        const present = (record: StoredRecord) => toRevision(target, record);
        const text = () => serializeList('archivedocumentrevisions', records, present, meta());
        return { text, records };
      },
    }),
  });

const lists: AnyRoute[] = [
  defineRead({
    path: `${ARCHIVE}/index`,
    summary: 'List the index data of revisions',
    target: 'archive',
    parameters: LIST_PARAMETERS,
    answer: answers.indexAnswer,
    async handle(db, { client, target, query }) {
      return { json: await documentReads.indexPage(db, client.acceptsGzip, target, query) };
    },
  }),
  defineRead({
    path: `${ARCHIVE}/documents`,
    summary: 'List revisions with keywords and files',
    target: 'archive',
    parameters: LIST_PARAMETERS,
    answer: answers.documentsAnswer,
    async handle(db, { client, target, query }) {
      return { json: await documentReads.documentsPage(db, client.acceptsGzip, target, query) };
    },
  }),
  defineRead({
    path: `${ARCHIVE}/index/ids`,
    summary: 'The ids of all revisions that match, at most 100,000',
    target: 'archive',
    parameters: ID_PARAMETERS,
    answer: answers.revisionIdsAnswer,
    async handle(db, { client, target, query }) {
      return { json: await documentReads.revisionIds(db, client.acceptsGzip, target, query) };
    },
  }),
  defineRead({
    path: `${ARCHIVE}/index/count`,
    summary: 'How many revisions match',
    target: 'archive',
    parameters: COUNT_PARAMETERS,
    answer: answers.countAnswer,
    async handle(db, { target, query }) {
      return { body: { count: await recordReads.listCount(db, target, query) } };
    },
  }),
  defineRead({
    path: `${ARCHIVE}/indices/:indexfield/listoptions`,
    summary: 'The options of an index field, or its values in use, most used first',
    target: 'archive',
    parameters: { q: 'a part of the value' },
    answer: answers.listOptionsAnswer,
    async handle(db, { target, params, query }) {
      const name = params['indexfield'] ?? '';
      const fieldIndex = indexOfName(target.fields, name);
      if (fieldIndex < 0) throw new ApiError('not_found', texts.noIndexField({ name }));
      const reader = new QueryReader(query, ['q']);
      requireValid(reader);
      const q = reader.text('q') ?? '';
      return { body: { listoptions: await recordReads.listOptions(db, target, fieldIndex, q) } };
    },
  }),
];

const single: AnyRoute[] = [
  defineRead({
    path: REVISION,
    summary: 'Read one revision',
    target: 'archive',
    answer: answers.revisionDetailAnswer,
    async handle(db, { target, params }) {
      const record = await getRevision(db, target, revisionIdOf(params));
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
      const { target, params, body, ifMatch } = request;
      const change = { revisionId: revisionIdOf(params), locked: body.locked, ifMatch };
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
      await deleteRevision(
        db,
        request.target,
        writerOf(request),
        revisionIdOf(request.params),
        request.ifMatch,
      );
      return {};
    },
  }),
  defineRead({
    path: `${REVISION}/history`,
    summary: 'The history of a revision, newest first',
    target: 'archive',
    answer: answers.historyAnswer,
    async handle(db, { target, params }) {
      const id = revisionIdOf(params);
      const body = await historyReads.answerHistory(db, target, id);
      if (body.history.length === 0) await getRevision(db, target, id);
      return { body };
    },
  }),
];

/**
 * The calls about index data and revisions (docs/interface/rest-interface.md, sections 4.1 and 4.2;
 * docs/interface/decisions.md, sections 5 and 6).
 */
export function documentRoutes({ maxBatch }: { readonly maxBatch: number }): AnyRoute[] {
  return [
    changeOne('PATCH', 'patch', { summary: 'Change some index data of one revision' }),
    changeOne('PUT', 'put', { summary: 'Replace all index data of one revision' }),
    changeMany('PATCH', 'patch', maxBatch, {
      summary: 'Change some index data of several revisions',
    }),
    changeMany('PUT', 'put', maxBatch, {
      summary: 'Replace all index data of several revisions',
    }),
    ...lists,
    ...single,
  ];
}

/** The parameters of what a call stores besides its changes. @throws {ApiError} 400 */
function readReceiptOptions(query: QueryParameters): {
  readonly receipt: boolean;
  /** the bulk edit that the values revert; null: none */
  readonly revertsId: number | null;
} {
  const reader = new QueryReader(query, ['receipt', 'takesBack']);
  const receipt = reader.text('receipt');
  if (receipt !== undefined && receipt !== 'true') reader.refuse('receipt', texts.notTrue);
  const revertsId = bulkEditIdSchema.safeParse(reader.text('takesBack'));
  if (reader.has('takesBack') && !revertsId.success) {
    reader.refuse('takesBack', texts.bulkEditIdInvalid);
  }
  requireValid(reader);
  return { receipt: receipt !== undefined, revertsId: revertsId.data ?? null };
}
