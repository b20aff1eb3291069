import * as texts from '#messages/service/bulk-edits.ts';
import * as recordTexts from '#messages/service/bulk-edit-records.ts';
import * as queueReads from '../queues/queues.reads.ts';
import * as recordsTexts from '#messages/service/records.ts';
import type { Message } from '#shared/messages/message.ts';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '#server/database/database.ts';
import type { Archive, Collection } from '#server/database/records/collection.ts';
import { isWritable } from '#server/database/records/collection-view.ts';
import { keywordFieldOf } from '#server/database/records/keyword-conditions.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Outcome } from '#shared/contract/bulk-edit-answers.ts';
import type { BulkEditBody } from '#shared/contract/bulk-edit-requests.ts';
import { checkChanges, readEdits, type BulkEdit } from '#shared/rules/bulk-edits.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { matchesVersion } from '#shared/contract/etags.ts';
import type { JsonValue } from '#shared/values/json.ts';
import { replaceKeywords } from '#shared/values/keywords.ts';
import type { Scalar } from '#shared/values/values.ts';
import { findByName, indexOfName, keywordFieldName } from '#shared/rules/names.ts';
import { sameList } from '../history/history.service.ts';
import { readOnlyProblems } from '../records/read-only.ts';
import { changedMeanwhile, type Writer } from '../records/records.service.ts';
import * as store from './bulk-edits.store.ts';
import type { KeywordsChange, StoredBulkEdit } from './bulk-edits.store.ts';
import { readPresentRows } from './planned-fields.ts';
import { makePlan, type UnfinishedPlan } from './planning.ts';

export { checkRows } from './checked-rows.ts';
export { storePlan } from './planning.ts';
export { storeReceipt, markReverted } from './receipts.ts';
export type { UnfinishedPlan } from './planning.ts';
export type { PlannedRow, RefusedCell } from './bulk-edits.store.ts';

/** The changes of an import to one revision. */
export interface ImportedRow {
  readonly revisionId: number;
  /** the entity tag of the version that the values are for; null: any */
  readonly ifMatch: string | null;
  /** by the name of the field, parsed by `parseValue` */
  readonly values: ReadonlyMap<string, Scalar>;
  /** by `keywordFieldName` of the keyword field */
  readonly keywords: ReadonlyMap<string, readonly string[]>;
  /** the row of the file, from 1; null: none */
  readonly line: number | null;
  /** errors of the row besides its values */
  readonly problems?: readonly string[];
  /** sentences about values that were corrected */
  readonly notes?: readonly string[];
}

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
      : await database.read((db) => queueReads.findRevisions(db, archive, selection));
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
    kind: 'edit',
    edits: read.edits,
    revisionIds: [...new Set(ids)],
    decide: (record) => read.edit(record.values),
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
    kind: 'edit',
    edits: [edit],
    revisionIds: ids,
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
    const found = findByName<Collection['fields'][number]>(collection.fields, field);
    const isRefused = found !== undefined && !isWritable(collection, found);
    return isRefused ? [[`edits.${i}.field`, [recordsTexts.fieldReadOnly]]] : [];
  });
  if (errors.length > 0) throw new ApiError('forbidden', Object.fromEntries(errors));
}

/**
 * Plans the rows of an import, outside a transaction. A row whose revision has another version is a conflict.
 */
export function planRows(
  database: Database,
  archive: Archive,
  writer: Writer,
  rows: readonly ImportedRow[],
): Promise<UnfinishedPlan> {
  const byId = new Map(rows.map((row) => [row.revisionId, row]));
  return makePlan(database, archive, writer, {
    kind: 'import',
    edits: [],
    revisionIds: [...byId.keys()],
    decide(record) {
      const row = byId.get(record.id);
      const after = [...record.values];
      const problems = [...(row?.problems ?? [])];
      for (const [name, value] of row?.values ?? []) {
        const index = indexOfName(archive.fields, name);
        if (index < 0) problems.push(recordTexts.noIndexField(name));
        else after[index] = value;
      }
      const keywordChanges = keywordChangesOf(archive, record, row?.keywords);
      const { changes, message } = checkChanges(archive.fields, record.values, after);
      problems.push(...readOnlyProblems(archive, [...changes, ...keywordChanges]));
      const errors = [...problems, ...(message === null ? [] : [message])].join(' ');
      const hasChanges = changes.length + keywordChanges.length > 0;
      const other = hasChanges && row?.ifMatch && !matchesVersion(row.ifMatch, record.version);
      if (other && errors === '') {
        const changed = changedMeanwhile('revision', record).message;
        return { changes, keywordChanges, message: changed, conflict: true };
      }
      const line = row?.line ?? null;
      if (errors === '') {
        const note = row?.notes?.join(' ') ?? '';
        return { changes, keywordChanges, message: null, ...(note !== '' && { note }) };
      }
      return {
        changes,
        keywordChanges,
        message: line === null ? errors : recordTexts.rowProblem({ line, problem: errors }),
      };
    },
  });
}

function keywordChangesOf(
  { keywordFields }: Archive,
  { keywords }: StoredRecord,
  wanted: ImportedRow['keywords'] = new Map(),
): KeywordsChange[] {
  return keywordFields.flatMap((field, index) => {
    const name = keywordFieldName(field.name);
    const before = keywords[index] ?? [];
    const after = wanted.get(name) ?? before;
    return sameList(before, after) ? [] : [{ name, before, after }];
  });
}

/** Rows and bytes of a plan that are read together. */
const READ_BATCH_SIZE = 1_000;
const READ_BATCH_BYTES = 8 * 1024 * 1024;

/** The outcomes that `again` retries: changes that were not made. */
const FAILED: readonly Outcome[] = ['changed', 'conflict', 'locked', 'invalid'];

/**
 * Plans failed changes again, with the current values.
 * @throws {ApiError} 409 while the job runs, and if nothing failed
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
  const failed: ImportedRow[] = [];
  for (const outcome of FAILED) {
    for (let after = -1; ;) {
      const from = after;
      const page = await database.read((db) =>
        readPresentRows(db, archive, bulkEdit, {
          outcome,
          after: from,
          limit: READ_BATCH_SIZE,
          bytes: READ_BATCH_BYTES,
        }),
      );
      for (const { rowId, changes, keywordChanges = [] } of page.rows) {
        // A row that created no revision has nothing to retry.
        if (rowId < 0) continue;
        const isImport = bulkEdit.kind === 'import';
        failed.push({
          revisionId: rowId,
          line: null,
          ifMatch: null,
          values: new Map((isImport ? changes : []).map(({ name, after }) => [name, after])),
          keywords: new Map(
            (isImport ? keywordChanges : []).map(({ name, after }) => [name, after]),
          ),
        });
      }
      const last = page.rows.at(-1);
      if (!last) break;
      after = last.position;
    }
  }
  if (failed.length === 0) throw new ApiError('conflict', texts.nothingFailed);
  if (bulkEdit.kind === 'import') return planRows(database, archive, writer, failed);
  const ids = failed.map(({ revisionId }) => revisionId);
  return planSelection(database, archive, writer, ids, bulkEdit.edits);
}

/** Revisions of a plan whose versions are compared together. */
const CHECK_BATCH_SIZE = 2_000;

/**
 * Checks that the revisions of a plan have not changed.
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
      store.countChangedMeanwhile(db, collection, id, from, CHECK_BATCH_SIZE),
    );
    await setImmediate();
  }
  if (changed === 0) return;
  const message = texts.changedSincePlan({ kind: collection.kind, count: changed });
  throw new ApiError('changed_meanwhile', message);
}
