import * as texts from '#messages/service/bulk-edits.ts';
import * as recordTexts from '#messages/service/bulk-edit-records.ts';
import { findRevisionsInWorker } from '../queues/queues.reads.ts';
import * as recordsTexts from '#messages/service/records.ts';
import type { Message, MessagesByPath } from '#shared/messages/message.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Database } from '#server/database/database.ts';
import type { Archive, Collection } from '#server/database/records/collection.ts';
import { isWritable } from '#server/database/records/collection-view.ts';
import { keywordFieldOf } from '#server/database/records/keyword-conditions.ts';
import type { Outcome } from '#shared/contract/bulk-edit-answers.ts';
import type { BulkEditBody } from '#shared/contract/bulk-edit-requests.ts';
import { readEdits, type BulkEdit } from '#shared/rules/bulk-edits.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { JsonValue } from '#shared/values/json.ts';
import { replaceKeywords } from '#shared/values/keywords.ts';
import { findByName, indexOfName, keywordFieldName } from '#shared/rules/names.ts';
import { sameList } from '../history/history.service.ts';
import type { Writer } from '../records/records.service.ts';
import * as plannedRows from './planned-rows.store.ts';
import type { StoredBulkEdit } from './bulk-edits.store.ts';
import { characterCount } from './character-count.ts';
import { planRows } from './plan-rows.ts';
import { iterateCurrentRows, type CurrentRow } from './planned-fields.ts';
import { makePlan, type UnfinishedPlan } from './planning.ts';
import { visibleEdit } from './present-bulk-edit.ts';
import type { RowToPlan } from './rows-to-plan.ts';

export { planRows } from './plan-rows.ts';
export { storeReceipt, markReverted } from './receipts.ts';
export { isAddedHeader } from './refused-rows.ts';
export type { UnfinishedPlan } from './planning.ts';
export type { CurrentValues, RowKey, RowProblem, RowReading, RowToPlan } from './rows-to-plan.ts';

/**
 * Plans edits of a selection, outside a transaction.
 * @throws {ApiError} 400 for the filter, 422 naming the edit and its error
 */
export async function planEdits(
  database: Database,
  archive: Archive,
  writer: Writer,
  { selection, edits }: BulkEditBody,
): Promise<UnfinishedPlan> {
  const revisionIds =
    'revisionIds' in selection
      ? selection.revisionIds
      : await database.read((db) => findRevisionsInWorker(db, archive, selection));
  return planSelection(database, archive, writer, revisionIds, edits);
}

/**
 * Plans edits of records by their ids, outside a transaction.
 * @throws {ApiError} 403 for fields that may only be read; 422 naming the edit and its error
 */
export function planSelection(
  database: Database,
  collection: Collection,
  writer: Writer,
  ids: readonly number[],
  edits: readonly BulkEdit<JsonValue | number>[],
): Promise<UnfinishedPlan> {
  const read = readEdits(collection.fields, edits);
  if (!read.ok) throw new ApiError('validation_failed', read.errors);
  requireWritable(collection, read.edits);
  return makePlan(database, collection, writer, {
    edits: read.edits,
    ids: [...new Set(ids)],
    decide: (record) => ({ ...read.edit(record.values), keywordChanges: [] }),
  });
}

/**
 * Plans the replacement of values of a keyword field in records.
 * @param edit names the field as `keyword.NAME`
 * @throws {ApiError} 403 for a field that may only be read
 */
export function planKeywords(
  database: Database,
  collection: Collection,
  writer: Writer,
  ids: readonly number[],
  edit: Extract<BulkEdit, { do: 'replaceValues' }>,
): Promise<UnfinishedPlan> {
  const field = keywordFieldOf(collection, edit.field);
  if (!field) throw new Error(`There is no keyword field ${edit.field}`);
  if (!isWritable(collection, field)) {
    throw new ApiError('forbidden', { 'edits.0.field': [recordsTexts.fieldReadOnly] });
  }
  const index = collection.keywordFields.findIndex(({ number }) => number === field.number);
  const name = keywordFieldName(field.name);
  const replacements = new Map(edit.replacements.map(({ from, to }) => [from, to]));
  return makePlan(database, collection, writer, {
    edits: [edit],
    ids,
    decide({ keywords }) {
      const before = keywords[index] ?? [];
      const after = replaceKeywords(before, replacements);
      const keywordChanges = sameList(before, after) ? [] : [{ name, before, after }];
      return { changes: [], keywordChanges, message: null };
    },
  });
}

/** @throws {ApiError} 403 naming the edits of read-only fields */
function requireWritable(collection: Collection, edits: readonly BulkEdit[]): void {
  const errors = edits.flatMap(({ field }, i): [string, Message[]][] => {
    const found = findByName(collection.fields, field);
    const isRefused = found !== undefined && !isWritable(collection, found);
    return isRefused ? [[`edits.${i}.field`, [recordsTexts.fieldReadOnly]]] : [];
  });
  if (errors.length > 0) throw new ApiError('forbidden', Object.fromEntries(errors));
}

/** The outcomes that `again` retries: changes that were not made. */
const FAILED: readonly Outcome[] = ['changed', 'conflict', 'locked', 'invalid'];

/**
 * Plans failed changes again, with the current values.
 * @throws {ApiError} 409 while the job runs, and if nothing failed; as `planSelection`, 422 also if fields no longer exist
 */
export async function planAgain(
  database: Database,
  archive: Archive,
  writer: Writer,
  bulkEdit: StoredBulkEdit,
): Promise<UnfinishedPlan> {
  if (bulkEdit.state !== 'done' && bulkEdit.state !== 'stopped') {
    throw new ApiError('conflict', texts.notEnded);
  }
  const failed = () => failedRows(database, archive, bulkEdit);
  const { done: isEmpty } = await failed().next();
  if (isEmpty) throw new ApiError('conflict', texts.nothingFailed);
  if (bulkEdit.kind === 'import') {
    return planRows(database, archive, writer, {
      from: 'plan',
      fileName: bulkEdit.fileName,
      mode: 'change',
      key: 'id',
      async *read() {
        for await (const row of failed()) yield toRowToPlan(archive, row);
      },
    });
  }
  const ids: number[] = [];
  for await (const { rowId } of failed()) ids.push(rowId);
  const edits = editsToRepeat(archive, bulkEdit);
  const [edit] = edits;
  return edit?.do === 'replaceValues' && keywordFieldOf(archive, edit.field)
    ? planKeywords(database, archive, writer, ids, edit)
    : planSelection(database, archive, writer, ids, edits);
}

/**
 * The edits of a plan with the present names of fields.
 * @throws {ApiError} 422 naming the edits whose fields no longer exist
 */
function editsToRepeat(archive: Archive, bulkEdit: StoredBulkEdit): BulkEdit[] {
  const errors: MessagesByPath = {};
  const edits = bulkEdit.edits.flatMap((edit, i) => {
    const present = visibleEdit(archive, bulkEdit, edit);
    if (!present) errors[`edits.${i}.field`] = [texts.fieldOfEditGone];
    return present ?? [];
  });
  if (edits.length < bulkEdit.edits.length) throw new ApiError('validation_failed', errors);
  return edits;
}

/** The rows of a plan whose records were not changed. */
async function* failedRows(
  database: Database,
  archive: Archive,
  bulkEdit: StoredBulkEdit,
): AsyncGenerator<CurrentRow> {
  for await (const row of iterateCurrentRows(database, archive, bulkEdit, FAILED)) {
    // A row that created no record has nothing to retry.
    if (row.rowId >= 0) yield row;
  }
}

/** A row of an import, to be planned again. */
function toRowToPlan({ fields, keywordFields }: Archive, row: CurrentRow): RowToPlan {
  const { position, rowId, changes, keywordChanges, refused } = row;
  const values = new Map(changes.map(({ name, after }) => [indexOfName(fields, name), after]));
  const unknown = changes.filter(({ name }) => indexOfName(fields, name) < 0);
  const problems = unknown.map(({ name }) => ({
    field: null,
    inWords: recordTexts.noIndexField(name),
  }));
  const names = keywordFields.map(({ name }) => ({ name: keywordFieldName(name) }));
  const keywords = new Map(
    keywordChanges.map(({ name, after }) => [indexOfName(names, name), after]),
  );
  return {
    line: position + 1,
    id: rowId,
    named: true,
    ifMatch: null,
    characters: characterCount(row),
    read: () => ({ values, keywords, problems }),
    gives: (fieldIndex) => values.has(fieldIndex),
    refused: (messages) =>
      refused && {
        ...refused,
        cells: refused.cells.map((cell) => ({ ...cell, message: messages.get(cell.field ?? '') })),
      },
  };
}

/** Records of a plan whose versions are compared together. */
const CHECK_BATCH_SIZE = 2_000;

/**
 * Checks that the records of a plan have not changed.
 * @throws {ApiError} 412 with the number of changed ones
 */
export async function requireUnchanged(
  database: Database,
  collection: Collection,
  { id, counts }: StoredBulkEdit,
): Promise<void> {
  let changed = 0;
  for (let from = 0; from < counts.total; from += CHECK_BATCH_SIZE) {
    changed += await database.read((db) =>
      plannedRows.countChangedMeanwhile(db, collection, id, from, CHECK_BATCH_SIZE),
    );
    await yieldToEventLoop();
  }
  if (changed === 0) return;
  const message = texts.changedSincePlan({ kind: collection.kind, count: changed });
  throw new ApiError('changed_meanwhile', message);
}
