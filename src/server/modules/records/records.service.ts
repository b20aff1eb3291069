import * as valuesTexts from '#messages/values.ts';
import * as texts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import { yieldsAfter, yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { readRecord } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import {
  deleteRecords,
  insertPlanned,
  planInsert,
  planUpdate,
  updatePlanned,
} from '#server/database/records/write-records.ts';
import { ApiError, EntryErrors } from '#shared/contract/errors.ts';
import type { Collection } from '#server/database/records/collection.ts';
import {
  fullCollectionOf,
  isWritable,
  narrowRecord,
} from '#server/database/records/collection-view.ts';
import {
  appendPlanned,
  changeOf,
  deletionOf,
  planHistory,
  type Change,
} from '../history/history.service.ts';
import {
  readSentRecord,
  type GivenValues,
  type ErrorPaths,
  type SentRecord,
} from './sent-record.ts';
import { readForWriting, type EntryTarget, type Writer } from './read-for-writing.ts';
import { findBlocked } from './blocking-checks.ts';
import { checkUnique, type UniqueCandidate } from './unique-columns.ts';
import { createWritePlan, newestHistoryIdFor, type WritePlan } from './write-plan.ts';
import { toFullCollection, applyValues, replaceItems } from './apply-values.ts';

export type { ErrorPaths, SentKeywords, SentRecord, SentValue } from './sent-record.ts';
export * from './read-for-writing.ts';

export interface ChangeEntry extends EntryTarget {
  readonly sent: SentRecord;
  /** every index field must be named (PUT of index data) */
  readonly requiresAllFields: boolean;
}

/** The result of a call for its records. */
export interface ChangedRecords {
  /** the records before the call, by id */
  readonly before: ReadonlyMap<number, StoredRecord>;
  /** the records after the call, in the order of the entries */
  readonly records: readonly StoredRecord[];
  /** the changed ones; the others had the values already */
  readonly changedIds: readonly number[];
}

/** How a plan reports errors. */
interface Reporting {
  /** whether the call is about one record, so that `current` is an object in a 412 */
  readonly single?: boolean;
  /** earlier errors of the entries, reported together with the others */
  readonly errors?: EntryErrors;
}

/** Plans changes of records, all or none. Unchanged records are not written and get no history entry. */
export async function planChanges(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  entries: readonly ChangeEntry[],
  { single = false, errors = new EntryErrors() }: Reporting = {},
): Promise<WritePlan<ChangedRecords>> {
  const newestHistoryId = await newestHistoryIdFor(db, entries);
  const fullCollection = fullCollectionOf(collection);
  const found = await readForWriting(db, collection, writer, entries, errors);
  const now = Date.now();
  const changes: { before: StoredRecord; after: StoredRecord; paths: ErrorPaths }[] = [];
  const missing: UniqueCandidate[] = [];
  for (const [i, entry] of entries.entries()) {
    const before = found.get(entry.id);
    const visible = before ? narrowRecord(collection, before) : null;
    const sent = readSentRecord(collection, entry.sent, visible, entry.paths, errors);
    if (entry.requiresAllFields) requireAllFields(collection, sent, entry.paths, errors);
    const given = toFullCollection(collection, sent);
    if (before)
      changes.push({
        before,
        after: applyValues(before, given, now, writer.username),
        paths: entry.paths,
      });
    else missing.push(toCandidate(fullCollection, entry, given));
    if (yieldsAfter(i)) await yieldToEventLoop();
  }
  const changed = changes.filter(({ before, after }) => before !== after);
  await addBlockingProblems(db, collection, changed, errors);
  const uniqueValues = await checkUnique(db, collection, [...changed, ...missing], errors);
  const recordIds = new Set(entries.map(({ id }) => id));
  const basis = { collection, newestHistoryId, recordIds, uniqueValues, dependsOnLookups: true };
  if (errors.any) return createWritePlan<ChangedRecords>(basis, errors, single, null);
  const update = await planUpdate(db, fullCollection, changed);
  const events = changed.map((change) => changeOf(change));
  const history = await planHistory(fullCollection, writer, events);
  return createWritePlan(basis, errors, single, async (db) => {
    const at = Date.now();
    await updatePlanned(db, fullCollection, update, at);
    await appendPlanned(db, history, at);
    return {
      before: new Map([...found].map(([id, record]) => [id, narrowRecord(collection, record)])),
      records: changes.map(({ before, after }) =>
        narrowRecord(collection, before === after ? after : { ...after, changedAt: at }),
      ),
      changedIds: update.ids,
    };
  });
}

/** The record with an id. @throws {ApiError} 404 */
export async function getRecord(
  db: Transaction,
  collection: Collection,
  id: number,
): Promise<StoredRecord> {
  const record = await readRecord(db, collection, id);
  if (!record) throw noRecord(collection, id);
  return record;
}

/** The error of a record that does not exist. */
export function noRecord({ kind }: Collection, id: number): ApiError {
  const message =
    kind === 'archive' ? texts.noRevision({ revisionId: id }) : texts.noRecord({ jrid: id });
  return new ApiError('not_found', message);
}

/** The record that a call about one has created or changed. */
export function singleRecord([record]: readonly StoredRecord[]): StoredRecord {
  if (!record) throw new Error('A written record is missing.');
  return record;
}

export interface CreateEntry {
  readonly paths: ErrorPaths;
  readonly sent: SentRecord;
  /** the source of values that are not sent; of all fields, also those that are hidden from the writer */
  readonly initial: Pick<StoredRecord, 'values' | 'keywords'>;
  readonly document: { readonly documentId: number | null; readonly revision: number } | null;
  /** changes for the history besides values and keywords */
  readonly otherChanges: readonly Change[];
}

/** Whether it is a new revision, whose values that are not sent are those of another one: they are not checked again. */
function isCopy({ document }: CreateEntry): boolean {
  return document !== null && document.documentId !== null;
}

interface Creation {
  readonly entry: CreateEntry;
  readonly state: Pick<StoredRecord, 'values' | 'keywords'>;
}

/** Plans new records, all or none; they are written in the order of the entries. */
export async function planCreations(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  entries: readonly CreateEntry[],
  { single = false, errors = new EntryErrors() }: Reporting = {},
): Promise<WritePlan<StoredRecord[]>> {
  const newestHistoryId = await newestHistoryIdFor(db, entries);
  const fullCollection = fullCollectionOf(collection);
  const creations: Creation[] = [];
  for (const [i, entry] of entries.entries()) {
    creations.push({ entry, state: initialState(collection, entry, errors) });
    if (yieldsAfter(i)) await yieldToEventLoop();
  }
  const uniqueValues = await checkCreations(db, collection, creations, errors);
  const basis = {
    collection,
    newestHistoryId,
    recordIds: new Set<number>(),
    uniqueValues,
    dependsOnLookups: true,
  };
  if (errors.any) return createWritePlan<StoredRecord[]>(basis, errors, single, null);
  const records = creations.map(({ entry: { document }, state }) => ({
    id: null,
    version: 1,
    ...state,
    document,
  }));
  const insert = await planInsert(db, fullCollection, records);
  const history = await planHistory(
    fullCollection,
    writer,
    creations.map(({ entry: { otherChanges }, state }) => ({
      kind: 'create',
      id: 0,
      version: 1,
      before: null,
      after: state,
      otherChanges,
    })),
  );
  return createWritePlan(basis, errors, single, async (db) => {
    const at = Date.now();
    const by = writer.username;
    const ids = await insertPlanned(db, fullCollection, insert, { at, by });
    await appendPlanned(db, history, at, ids);
    return records.map(({ document, ...record }, i) => {
      const id = ids[i] ?? 0;
      const times = { createdAt: at, changedAt: at, changedBy: by };
      const { documentId, revision } = document ?? { documentId: null, revision: 0 };
      const part = document && { documentId: documentId ?? id, revision, lock: null };
      return narrowRecord(collection, { ...record, ...times, id, document: part });
    });
  });
}

/** Adds what is wrong with new records to the errors. @returns the unique values that they have */
async function checkCreations(
  db: Transaction,
  collection: Collection,
  creations: readonly Creation[],
  errors: EntryErrors,
): ReturnType<typeof checkUnique> {
  await addBlockingProblems(
    db,
    collection,
    creations.map(({ entry, state }) => ({
      // In a new revision the changed fields are those that differ from the copied one.
      before: isCopy(entry) ? entry.initial : null,
      after: { id: null, ...state },
      paths: entry.paths,
    })),
    errors,
  );
  return checkUnique(
    db,
    collection,
    creations.map(({ entry: { paths }, state }) => ({
      before: null,
      after: { id: -1, ...state },
      paths,
    })),
    errors,
  );
}

/**
 * Rejects records that fail checks of severity `block`, under the highlighted fields. A check is not evaluated if one
 * of its fields has an error, because the value of that field is unknown.
 */
async function addBlockingProblems(
  db: Transaction,
  collection: Collection,
  candidates: readonly {
    readonly before: Pick<StoredRecord, 'values'> | null;
    readonly after: Pick<StoredRecord, 'values'> & { readonly id: number | null };
    readonly paths: ErrorPaths;
  }[],
  errors: EntryErrors,
): Promise<void> {
  const values = candidates.map(({ before, after, paths }) => ({
    id: after.id,
    before: before?.values ?? null,
    after: after.values,
    paths,
  }));
  const known = (await findBlocked(db, collection, values)).filter(
    ({ candidate: { paths }, uses }) => !uses.some((name) => errors.has(paths.field(name))),
  );
  for (const { candidate, field, message } of known) {
    const { paths } = candidate;
    errors.add('validation_failed', field === null ? paths.whole : paths.field(field), message);
  }
}

function initialState(
  collection: Collection,
  entry: CreateEntry,
  errors: EntryErrors,
): Pick<StoredRecord, 'values' | 'keywords'> {
  const { sent, paths, initial } = entry;
  const given = readSentRecord(collection, sent, narrowRecord(collection, initial), paths, errors);
  const full = toFullCollection(collection, given);
  const state = {
    values: replaceItems(initial.values, full.values),
    keywords: replaceItems(initial.keywords, full.keywords),
  };
  if (isCopy(entry)) return state;
  const visible = narrowRecord(collection, state);
  collection.fields.forEach((field, index) => {
    // The sent values are checked already, and values that the user may not set are not required.
    if (!isWritable(collection, field)) return;
    const value = visible.values[index] ?? null;
    if (field.required && !given.values.has(index) && (value === null || value === '')) {
      errors.add('validation_failed', paths.field(field.name), valuesTexts.required);
    }
  });
  return state;
}

interface RemovalOptions extends Pick<Reporting, 'single'> {
  /** for the history of each record, besides values and keywords */
  readonly otherChanges?: readonly Change[];
}

/** Plans to delete records, all or none; their history stays. */
export async function planRemovals(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  entries: readonly EntryTarget[],
  { single = false, otherChanges = [] }: RemovalOptions = {},
): Promise<WritePlan<void>> {
  const newestHistoryId = await newestHistoryIdFor(db, entries);
  const errors = new EntryErrors();
  const fullCollection = fullCollectionOf(collection);
  const found = await readForWriting(db, collection, writer, entries, errors);
  const records = [...found.values()];
  const ids = records.map(({ id }) => id);
  const events = records.map((record) => ({ ...deletionOf(record), otherChanges }));
  const history = await planHistory(fullCollection, writer, events);
  const recordIds = new Set(entries.map(({ id }) => id));
  const basis = {
    collection,
    newestHistoryId,
    recordIds,
    uniqueValues: new Map(),
    dependsOnLookups: false,
  };
  return createWritePlan(basis, errors, single, async (db) => {
    await deleteRecords(db, fullCollection, ids);
    await appendPlanned(db, history, Date.now());
  });
}

function requireAllFields(
  collection: Collection,
  given: GivenValues,
  paths: ErrorPaths,
  errors: EntryErrors,
): void {
  collection.fields.forEach((field, index) => {
    if (!given.values.has(index)) {
      errors.add('validation_failed', paths.field(field.name), texts.fieldMissing);
    }
  });
}

/** The sent values of a record that does not exist: whether they are taken is answered together with that. */
function toCandidate(
  { fields }: Collection,
  { id, paths }: ChangeEntry,
  { values }: GivenValues,
): UniqueCandidate {
  const sent = fields.map((_, index) => values.get(index) ?? null);
  return { before: null, after: { id, values: sent }, paths };
}
