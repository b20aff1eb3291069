import * as texts from '#messages/service/bulk-edits.ts';
import { Readable } from 'node:stream';
import { requireValid } from '#server/http/query.ts';
import { type Answer, type AnyRoute, defineRead } from '#server/http/route.ts';
import type { Transaction } from '#server/database/database.ts';
import {
  bulkEditDatasetsAnswer,
  bulkEditListAnswer,
  bulkEditRevisionsAnswer,
  bulkEditsAnswer,
  OUTCOMES,
} from '#shared/contract/bulk-edit-answers.ts';
import { bulkEditBody } from '#shared/contract/bulk-edit-requests.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '#shared/rules/limits.ts';
import { QueryReader } from '#shared/rules/query-reader.ts';
import { LIST_PARAMETERS } from '../records/lists.service.ts';
import { fileHeaders } from '#server/http/file-headers.ts';
import { writerOf } from '../records/write-request.ts';
import { jobRoutes } from './bulk-edit-jobs.routes.ts';
import { planAgain, planEdits } from './bulk-edits.service.ts';
import * as store from './bulk-edits.store.ts';
import * as plannedRows from './planned-rows.store.ts';
import { readCurrentRows } from './planned-fields.ts';
import { toBulkEdit, toBulkEditRow } from './present-bulk-edit.ts';
import { definePlanRoute } from './plan-route.ts';
import { refusedRows } from './refused-rows.ts';
import type { BulkEditRunner } from './bulk-edits.runner.ts';
import {
  BULK_EDIT,
  BULK_EDITS,
  findOwnBulkEdit,
  findVisibleBulkEdit,
  type BulkEditRequest,
} from './requested-bulk-edit.ts';

/** Bytes of changes on one page. */
const MAX_ANSWERED_BYTES = 8 * 1024 * 1024;

/** Only archives have these calls: imports, pastes and the clean-up of values plan those of tables. */
const planRoutes: AnyRoute[] = [
  definePlanRoute({
    path: BULK_EDITS.archive,
    summary: 'Plan a bulk edit of index data',
    description:
      'Computes the new values of each selected revision, at most 100,000, and changes nothing. The filter is the ' +
      'query of index/ids.',
    target: 'archive',
    body: bulkEditBody,
    plan: (database, request) =>
      planEdits(database, request.target, writerOf(request), request.body),
  }),
  definePlanRoute({
    path: `${BULK_EDIT.archive}/again`,
    summary: 'Plan the remaining changes of a batch again',
    target: 'archive',
    async plan(database, request) {
      const failed = await database.read((db) => findOwnBulkEdit(db, request));
      return planAgain(database, request.target, writerOf(request), failed);
    },
  }),
];

/** The calls that read batches: the list, and one with its progress. */
const listRoutes = (kind: CollectionKind): AnyRoute[] => [
  defineRead({
    path: BULK_EDITS[kind],
    summary: "The caller's batches, newest first; for administrators those of all users",
    target: kind,
    parameters: {
      limit: 'batches per page, 1 to 1,000; 50 by default',
      after: 'the `next` of the previous page',
    },
    answer: bulkEditListAnswer,
    async handle(db, { target, caller, query }) {
      const ownerId = caller.role === 'administrator' ? null : caller.userId;
      const reader = new QueryReader(query, ['limit', 'after']);
      const { limit, after } = readPage(reader);
      requireValid(reader);
      const found = await store.readBulkEdits(db, target, ownerId, after, limit + 1);
      const page = found.slice(0, limit);
      const next = found.length > limit ? String(page.at(-1)?.id ?? '') : null;
      return {
        body: {
          bulkedits: page.map((bulkEdit) => toBulkEdit(target, bulkEdit)),
          meta: { pagination: { limit, next } },
        },
      };
    },
  }),
  defineRead({
    path: BULK_EDIT[kind],
    summary: 'A batch: its state and progress',
    target: kind,
    answer: bulkEditsAnswer,
    async handle(db, request) {
      const found = await findVisibleBulkEdit(db, request);
      return { body: { bulkedits: [toBulkEdit(request.target, found)] } };
    },
  }),
];

/** The calls that read the results of a batch: its changes, and the rows that it refuses. */
const resultRoutes = (kind: CollectionKind): AnyRoute[] => [
  defineRead({
    path: `${BULK_EDIT[kind]}/${kind === 'archive' ? 'revisions' : 'datasets'}`,
    summary: 'The changes of a batch by record, with the outcome of each',
    target: kind,
    parameters: {
      outcome: {
        description: `one of ${OUTCOMES.join(', ')}; all by default`,
        schema: { type: 'string', enum: [...OUTCOMES] },
      },
      limit: 'rows per page, 1 to 1,000; 50 by default; fewer if texts are large',
      after: 'the `next` of the previous page',
      total: LIST_PARAMETERS.total,
    },
    answer: kind === 'archive' ? bulkEditRevisionsAnswer : bulkEditDatasetsAnswer,
    handle: (db, request) => answerPageOfChanges(db, request, kind),
  }),
  defineRead({
    path: `${BULK_EDIT[kind]}/refused`,
    summary: 'The rows that an import refuses, as CSV',
    description: 'With the columns of the file, the number of the row and the reason.',
    target: kind,
    cost: 'heavy',
    parameters: { separator: 'comma or semicolon; comma by default' },
    answer: 'bytes',
    async handle(db, request) {
      const bulkEdit = await findVisibleBulkEdit(db, request);
      const reader = new QueryReader(request.query, ['separator']);
      const separator = reader.oneOf('separator', ['comma', 'semicolon']);
      requireValid(reader);
      const sign = separator === 'semicolon' ? ';' : ',';
      return {
        stream: async (database) =>
          Readable.from(refusedRows(database, request.target, bulkEdit, sign)),
        headers: fileHeaders(`${request.target.name}-refused.csv`, 'text/csv'),
      };
    },
  }),
];

/** The calls about batches. */
export function bulkEditRoutes(runner: Pick<BulkEditRunner, 'wake'>): AnyRoute[] {
  return [
    ...planRoutes,
    ...listRoutes('archive'),
    ...resultRoutes('archive'),
    ...jobRoutes('archive', runner),
    ...listRoutes('table'),
    ...resultRoutes('table'),
    ...jobRoutes('table', runner),
  ];
}

/** One page of the changes of a batch. @throws {ApiError} 404; 400 */
async function answerPageOfChanges(
  db: Transaction,
  request: BulkEditRequest,
  kind: CollectionKind,
): Promise<Answer> {
  const bulkEdit = await findVisibleBulkEdit(db, request);
  const { id } = bulkEdit;
  const reader = new QueryReader(request.query, ['outcome', 'limit', 'after', 'total']);
  const withTotal = reader.boolean('total', true);
  const outcome = reader.oneOf('outcome', OUTCOMES) ?? null;
  const { limit, after } = readPage(reader);
  requireValid(reader);
  const from = after ?? -1;
  const found = await readCurrentRows(db, request.target, bulkEdit, {
    outcome,
    after: from,
    order: 'asc',
    limit: limit + 1,
    bytes: MAX_ANSWERED_BYTES,
  });
  const page = found.rows.slice(0, limit);
  const more = found.isTruncated || found.rows.length > limit;
  const next = more ? String(page.at(-1)?.position ?? '') : null;
  const total = withTotal ? { total: await plannedRows.countPlannedRows(db, id, outcome) } : {};
  const rows = page.map((row) => toBulkEditRow(request.target, bulkEdit, row));
  const meta = { pagination: { ...total, limit, next } };
  return { body: { [kind === 'archive' ? 'revisions' : 'datasets']: rows, meta } };
}

function readPage<Name extends string>(
  reader: QueryReader<Name | 'limit' | 'after'>,
): {
  readonly limit: number;
  readonly after: number | null;
} {
  const limit = reader.integer('limit', DEFAULT_LIMIT, 1, MAX_LIMIT);
  const after = reader.text('after');
  if (after !== undefined && !/^[0-9]{1,9}$/.test(after)) {
    reader.refuse('after', texts.pageUnknown);
  }
  return { limit, after: after === undefined ? null : Number(after) };
}
