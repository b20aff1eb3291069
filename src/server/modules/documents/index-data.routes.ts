import * as texts from '#messages/service/records.ts';
import { requireValid } from '#server/http/query.ts';
import { type AnyRoute, defineRoute } from '#server/http/route.ts';
import { recordIdOf, writerOf } from '../records/write-request.ts';
import * as answers from '#shared/contract/answers.ts';
import {
  countedIdSchema,
  indexDataBody,
  revisionsBody,
  type RevisionsBody,
} from '#shared/contract/requests.ts';
import { QueryReader, type QueryParameters } from '#shared/rules/query-reader.ts';
import { storeReceipt, markReverted } from '../bulk-edits/bulk-edits.service.ts';
import { batchWrite } from '../records/batch-writes.ts';
import type { ChangedRecords } from '../records/records.service.ts';
import { changeRevision, planRevisionChanges, type WriteMode } from './documents.service.ts';
import { answerRecord, answerRecords } from '../checks/answer-record.ts';

const ARCHIVE = '{archives}/:archive';

/** The calls that change the index data of one revision, or of several. */
export function indexDataRoutes(maxBatch: number): AnyRoute[] {
  return [
    changeOne('PATCH', { summary: 'Change some index data of one revision' }),
    changeOne('PUT', { summary: 'Replace all index data of one revision' }),
    changeMany('PATCH', maxBatch, { summary: 'Change some index data of several revisions' }),
    changeMany('PUT', maxBatch, { summary: 'Replace all index data of several revisions' }),
  ];
}

/** A call that changes the index data of one revision. */
const changeOne = (method: WriteMode, { summary }: { readonly summary: string }): AnyRoute =>
  defineRoute({
    method,
    path: `${ARCHIVE}/documents/:revisionId/indexdata`,
    summary,
    target: 'archive',
    access: 'write',
    body: indexDataBody,
    answer: answers.revisionsAnswer,
    async handle(db, request) {
      const { target, body, ifMatch } = request;
      const change = { mode: method, revisionId: recordIdOf(request), body, ifMatch };
      const record = await changeRevision(db, target, writerOf(request), change);
      return answerRecord(db, target, record);
    },
  });

/** A call that changes the index data of several revisions. */
const changeMany = (
  method: WriteMode,
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
      receipt: '`true`: the changes are stored as a batch, which is listed and can be undone',
      takesBack: 'the id of a batch of the caller that these values revert: it is marked as undone',
    },
    checkQuery: readReceiptOptions,
    body: revisionsBody,
    answer: answers.revisionsAnswer,
    ...batchWrite<'archive', RevisionsBody, ChangedRecords>(maxBatch, {
      count: ({ revisions }) => revisions.length,
      plan(db, request) {
        const { target, body, ifMatch } = request;
        const changes = { ...body, mode: method, ifMatch };
        return planRevisionChanges(db, target, writerOf(request), changes);
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
        return answerRecords(db, target, records, receipt);
      },
    }),
  });

/** The parameters that a call stores besides its changes. @throws {ApiError} 400 */
function readReceiptOptions(query: QueryParameters): {
  readonly receipt: boolean;
  /** the batch that the values revert; null: none */
  readonly revertsId: number | null;
} {
  const reader = new QueryReader(query, ['receipt', 'takesBack']);
  const receipt = reader.text('receipt');
  if (receipt !== undefined && receipt !== 'true') reader.refuse('receipt', texts.notTrue);
  const revertsId = countedIdSchema.safeParse(reader.text('takesBack'));
  if (reader.has('takesBack') && !revertsId.success) {
    reader.refuse('takesBack', texts.bulkEditIdInvalid);
  }
  requireValid(reader);
  return { receipt: receipt !== undefined, revertsId: revertsId.data ?? null };
}
