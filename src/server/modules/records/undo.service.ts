import * as texts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { changedFields, endExceptions } from '#server/database/records/check-exceptions.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import { readNewestHistoryId } from '#server/database/records/changed-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import {
  deleteRecords,
  planInsert,
  planUpdate,
  restorePlanned,
  updatePlanned,
} from '#server/database/records/write-records.ts';
import { ApiError, EntryErrors } from '#shared/contract/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Access } from '#shared/rules/rights.ts';
import { allows } from '#shared/rules/rights.ts';
import { parseType } from '#shared/values/value-rules.ts';
import { isScalar, type Scalar } from '#shared/values/value-type.ts';
import { JsonNumber } from '#shared/values/json.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { convertedThrough } from '#server/database/records/conversion.ts';
import {
  fullCollectionOf,
  isWritable,
  narrowRecord,
} from '#server/database/records/collection-view.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import {
  appendPlanned,
  isShown,
  planHistory,
  readHistoryEntries,
  readStoredHistories,
  type StoredEntry,
} from '../history/history.service.ts';
import { findByName, indexOfName } from '#shared/rules/names.ts';
import { pathsBelow } from './sent-record.ts';
import { checkUnique } from './unique-columns.ts';
import { type ErrorPaths, lockedMessage, lockOfAnother, type Writer } from './records.service.ts';
import { createWritePlan, type WritePlan } from './write-plan.ts';
import { presentRecord } from './present-record.ts';

/** The target state of a record: that before the first of the reverted entries. */
interface Reversal {
  readonly id: number;
  readonly version: number;
  readonly before: StoredRecord | null;
  /** the values with which it was deleted; null: it is not deleted */
  readonly deleted: readonly Scalar[] | null;
  /** null: it did not exist */
  readonly after: readonly Scalar[] | null;
  readonly paths: ErrorPaths;
}

/** Entries of the history to revert. */
interface EntriesToUndo {
  readonly historyIds: readonly number[];
  /** under which, with the position of an id, errors are reported */
  readonly path: string;
}

/**
 * Plans to revert the caller's own creations, changes and deletions, all or none, if nothing was changed after them
 * (docs/interface/decisions.md, section 7). A restored record keeps its id and its sequence of versions. The result
 * is the records that exist afterwards. In an archive only changes of index fields are reverted; other entries are
 * refused.
 * @param access the caller's right on the collection; reverting a deletion or a creation needs `manage` or `write` like
 * the call that is reverted
 * @throws {ApiError} 404 for entries that are not there, 403 for another's or a deletion without `manage`; the plan
 * throws 412 naming who came after, and when, and 422 for entries that cannot be reverted
 */
export async function planUndo(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  access: Access,
  { historyIds, path }: EntriesToUndo,
): Promise<WritePlan<StoredRecord[]>> {
  const newestHistoryId = await readNewestHistoryId(db);
  const fullCollection = fullCollectionOf(collection);
  const ids = [...new Set(historyIds)];
  const entries = await readHistoryEntries(db, fullCollection, ids);
  // An entry that changed only hidden fields is not visible to the user.
  const visible = collection.restriction?.hidesFields
    ? (await readHistoryEntries(db, collection, ids)).filter((entry) => isShown(entry, undefined))
    : entries;
  requireEntries(ids, visible);
  checkPermitted(collection, entries, writer, access);

  const rowIds = [...new Set(entries.map(({ rowId }) => rowId))].sort((a, b) => a - b);
  const current = await readRecords(db, fullCollection, rowIds, 'lock');
  const histories = await readStoredHistories(db, fullCollection, rowIds);
  const wanted = new Set(ids);
  const rowIdOf = new Map(entries.map((entry) => [entry.id, entry.rowId]));
  const named = historyIds.map((id, position) => [rowIdOf.get(id), position] as const);
  /** where the request first names each record */
  const positions = new Map(named.toReversed());
  const errors = new EntryErrors();
  const reversals: Reversal[] = [];
  for (const id of rowIds) {
    const paths = pathsBelow(`${path}.${positions.get(id) ?? 0}`);
    const before = current.get(id) ?? null;
    const lock = before && lockOfAnother(before, writer);
    if (lock) errors.add('locked', paths.whole, lockedMessage(collection.kind, lock));
    const undone = { id, wanted, before, paths, history: histories.get(id) ?? [] };
    const problem = irreversibleReason(collection, undone);
    if (problem) errors.add('validation_failed', paths.whole, problem);
    const reversal = reverse(collection, undone, errors);
    if (reversal) reversals.push(reversal);
    await yieldToEventLoop();
  }
  const uniqueValues = await checkUnique(
    db,
    collection,
    reversals.map(({ id, before, after, paths }) => ({
      before,
      after: { id, values: after ?? [] },
      paths,
    })),
    errors,
  );
  const basis = {
    collection,
    newestHistoryId,
    recordIds: new Set(rowIds),
    uniqueValues,
    dependsOnLookups: false,
  };
  if (errors.any) return createWritePlan<StoredRecord[]>(basis, errors, false, null);
  const write = await planWrite(
    db,
    fullCollection,
    writer,
    reversals.filter(({ before, after }) => !isEqualState(before, after)),
  );
  return createWritePlan(basis, errors, false, async (db) => {
    await write(db);
    const restored = await readRecords(db, collection, rowIds);
    return rowIds.flatMap((id) => restored.get(id) ?? []);
  });
}

/** @throws {ApiError} 404 */
function requireEntries(ids: readonly number[], entries: readonly StoredEntry[]): void {
  const found = new Set(entries.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) {
    throw new ApiError('not_found', texts.noHistoryEntry({ id: missing.join(', ') }));
  }
}

/** @throws {ApiError} 403 */
function checkPermitted(
  collection: Collection,
  entries: readonly StoredEntry[],
  writer: Writer,
  access: Access,
): void {
  if (entries.some(({ userId }) => userId !== writer.userId)) {
    throw new ApiError('forbidden', texts.notOwnChange);
  }
  const deletes = entries.some(({ kind }) => kind === 'delete');
  if (deletes && !allows(access, 'manage')) {
    throw new ApiError('forbidden', texts.undoNeedsManage);
  }
  const names = entries
    .filter(({ kind }) => kind === 'change')
    .flatMap(({ changes }) => changes.map(({ name }) => name));
  if (names.every((name) => isNameWritable(collection, name))) return;
  throw new ApiError('forbidden', texts.undoOfUnchangeable);
}

/** Whether the user may change the field of a change. */
function isNameWritable(collection: Collection, name: string): boolean {
  const field = findByName(collection.fields, name);
  if (field) return isWritable(collection, field);
  return findByName(fullCollectionOf(collection).fields, name) === undefined;
}

/** A record with entries to revert. */
interface RecordToUndo {
  readonly id: number;
  readonly wanted: ReadonlySet<number>;
  readonly before: StoredRecord | null;
  readonly paths: ErrorPaths;
  /** newest first */
  readonly history: readonly StoredEntry[];
}

/** Why one of the entries can never be reverted; undefined: all can. */
function irreversibleReason(
  collection: Collection,
  { wanted, history }: RecordToUndo,
): Message | undefined {
  const { fields } = fullCollectionOf(collection);
  for (const [i, entry] of history.entries()) {
    if (!wanted.has(entry.id)) continue;
    if (entry.kind === 'lock') return texts.undoOfException;
    if (collection.kind === 'table') continue;
    const isOfChange = entry.kind === 'change' || isUndoOfChange(entry, history[i + 1]);
    const isOfIndexFields = entry.changes.every(({ name }) => findByName(fields, name));
    if (!isOfChange || !isOfIndexFields) return texts.undoInArchive;
  }
  return undefined;
}

/** Whether an entry is the undo of a change, which is a change too, unlike the restoring of a deleted record. */
function isUndoOfChange({ kind }: StoredEntry, older: StoredEntry | undefined): boolean {
  return kind === 'restore' && older?.kind !== 'delete';
}

function reverse(
  collection: Collection,
  { id, wanted, before, paths, history }: RecordToUndo,
  errors: EntryErrors,
): Reversal | undefined {
  const oldest = history.findLastIndex((entry) => wanted.has(entry.id));
  const undone = history.slice(0, oldest + 1);
  const later = undone.find((entry) => !wanted.has(entry.id));
  if (later) {
    errors.add(
      'changed_meanwhile',
      paths.whole,
      texts.changedAfterwards({
        id,
        by: later.username,
        at: isoTime(later.at),
      }),
    );
    if (before)
      errors.addCurrent(String(id), presentRecord(collection, narrowRecord(collection, before)));
    return undefined;
  }
  let state: Scalar[] | null = before && [...before.values];
  let deleted: Scalar[] | null = null;
  for (const [i, entry] of undone.entries()) {
    if (
      isUndoOfChange(entry, history[i + 1]) &&
      !entry.changes.every(({ name }) => isNameWritable(collection, name))
    ) {
      errors.add('forbidden', paths.whole, texts.undoOfUnchangeable);
      return undefined;
    }
    state = stateBefore(fullCollectionOf(collection), entry, history[i + 1], state, (name) =>
      errors.add('validation_failed', paths.whole, texts.undoOfConverted({ name })),
    );
    if (!before && i === 0) deleted = state;
  }
  return { id, version: (history[0]?.version ?? 0) + 1, before, deleted, after: state, paths };
}

/**
 * The values of the record before the entry, if it had `state` after it.
 * @param older the previous entry; a restore follows a deletion
 * @param refuse called with the name of a field whose type was changed since, and cannot hold the value
 */
function stateBefore(
  collection: Collection,
  entry: StoredEntry,
  older: StoredEntry | undefined,
  state: Scalar[] | null,
  refuse: (name: string) => void,
): Scalar[] | null {
  if (entry.kind === 'create' || entry.kind === 'load') return null;
  if (entry.kind === 'restore' && older?.kind === 'delete') return null;
  const values = state ? [...state] : collection.fields.map((): Scalar => null);
  for (const { name, before, superseded } of entry.changes) {
    const index = indexOfName(collection.fields, name);
    const field = collection.fields[index];
    if (!field) continue;
    const value = isScalar(before) ? convertedThrough(superseded?.steps ?? [], before) : undefined;
    // A deleted record comes back without what the field cannot hold any more.
    if (value === undefined && superseded && entry.kind !== 'delete') refuse(name);
    values[index] = value === undefined && superseded ? null : toScalar(field, value);
  }
  return values;
}

function toScalar(field: Parameters<typeof parseType>[0], value: unknown): Scalar {
  const raw = typeof value === 'number' ? new JsonNumber(String(value)) : value;
  if (
    raw === null ||
    typeof raw === 'string' ||
    typeof raw === 'boolean' ||
    raw instanceof JsonNumber
  ) {
    const parsed = parseType({ ...field, scale: 14 }, raw);
    if (parsed.ok) return parsed.value;
  }
  throw new Error('The history holds a value that the field cannot have had');
}

/** Whether the reverted entries cancel each other, such as a deletion and its own undo. */
function isEqualState(before: StoredRecord | null, after: readonly Scalar[] | null): boolean {
  if (!before || !after) return !before && !after;
  return after.every((value, index) => value === before.values[index]);
}

/** @returns the work in the transaction */
async function planWrite(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  reversals: readonly Reversal[],
): Promise<(db: Transaction) => Promise<void>> {
  const changedBy = writer.username;
  const changed = reversals.flatMap(({ before, after, version }) =>
    before && after ? [{ before, after: { ...before, values: after, version, changedBy } }] : [],
  );
  const returning = reversals.filter(({ before, after }) => !before && after);
  const removed = reversals.flatMap(({ id, before, after }) => (before && !after ? [id] : []));
  const update = await planUpdate(db, collection, changed);
  const restoredOtherwise = changedFields(
    collection,
    returning.flatMap(({ id, deleted, after }) =>
      deleted && after ? [{ before: { id, values: deleted }, after: { values: after } }] : [],
    ),
  );
  const insert = await planInsert(
    db,
    collection,
    returning.map(({ id, version, after }) => ({
      id,
      version,
      values: after ?? [],
      keywords: [],
      document: null,
    })),
  );
  const history = await planHistory(
    collection,
    writer,
    reversals
      .filter(({ before, after }) => before ?? after)
      .map(({ id, version, before, after }) => ({
        kind: after ? 'restore' : 'delete',
        id,
        version,
        before,
        after: after && { values: after, keywords: before?.keywords ?? [] },
      })),
  );
  return async (db) => {
    const at = Date.now();
    await updatePlanned(db, collection, update, at);
    await restorePlanned(db, collection, insert, { at, by: changedBy });
    await endExceptions(db, collection, restoredOtherwise);
    await deleteRecords(db, collection, removed);
    await appendPlanned(db, history, at);
  };
}
