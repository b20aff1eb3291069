import { sql } from 'kysely';
import { fold, searchText } from '#shared/values/fold.ts';
import { isText } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Collection } from './collection.ts';
import {
  changedFields,
  deleteExceptionsOf,
  endExceptions,
  type ChangedFields,
} from './check-exceptions.ts';
import type { Transaction } from '../database.ts';
import { yieldsAfter, yieldToEventLoop } from '../cooperative-yield.ts';
import { deleteRows, insertRows, updateRows } from './bulk-statements.ts';
import {
  columnsOf,
  keywordTable,
  META_COLUMNS,
  storedValues,
  tableName,
  type ColumnValue,
} from './columns.ts';
import type { Lock, NewRecord, StoredRecord } from './record.ts';

/** Who makes a change, and when (milliseconds since 1970 UTC). */
interface Stamp {
  readonly at: number;
  readonly by: string;
}

/** New records as rows, prepared before the transaction that stores them. */
interface InsertPlan {
  readonly records: readonly NewRecord[];
  readonly columns: readonly string[];
  /** values that are known only when they are stored are filled in then: ids, times and the user */
  readonly rows: ColumnValue[][];
}

/** Builds the rows of new records. */
export async function planInsert(
  { adapter }: Pick<Transaction, 'adapter'>,
  collection: Collection,
  records: readonly NewRecord[],
): Promise<InsertPlan> {
  const columns = [
    ...FIRST_COLUMNS,
    ...(collection.kind === 'archive' ? ['_document_id', '_revision'] : []),
    ...collection.fields.flatMap(columnsOf).map(([name]) => name),
  ];
  const rows: ColumnValue[][] = [];
  for (const [i, { version, values, keywords, document }] of records.entries()) {
    const text = searchTextOf(collection, values, keywords);
    rows.push([
      null,
      version,
      null,
      null,
      null,
      null,
      text,
      ...(document ? [document.documentId, document.revision] : []),
      ...collection.fields.flatMap((field, index) =>
        storedValues(adapter, field, values[index] ?? null),
      ),
    ]);
    if (yieldsAfter(i)) await yieldToEventLoop();
  }
  return { records, columns, rows };
}

/** The first columns of a new record. */
const FIRST_COLUMNS = ['_id', ...META_COLUMNS.map(([name]) => name)];

/**
 * Stores new records with their search texts and keywords.
 * @param search `later`: `createIndexes` adds them to the search index, at a fraction of the cost
 * @returns the ids, in the order of the records
 */
export async function insertPlanned(
  db: Transaction,
  collection: Collection,
  plan: InsertPlan,
  stamp: Stamp,
  search: 'now' | 'later' = 'now',
): Promise<number[]> {
  // A deleted record may have had the same id.
  const given = plan.records.flatMap(({ id }) => id ?? []);
  await deleteExceptionsOf(db, collection, given);
  return restorePlanned(db, collection, plan, stamp, search);
}

/** Stores records again that were deleted, as `insertPlanned`; exceptions of checks apply again. */
export async function restorePlanned(
  db: Transaction,
  collection: Collection,
  { records, columns, rows }: InsertPlan,
  { at, by }: Stamp,
  search: 'now' | 'later' = 'now',
): Promise<number[]> {
  const ids = await takeIds(db, collection, records);
  const byFold = fold(by);
  for (const [i, row] of rows.entries()) {
    const id = ids[i] ?? 0;
    row.splice(0, FIRST_COLUMNS.length - 1, id, row[1] ?? null, at, at, by, byFold);
    const document = records[i]?.document;
    if (document) row[FIRST_COLUMNS.length] = document.documentId ?? id;
  }
  await insertRows(db, tableName(collection), columns, rows);
  if (search === 'now') await db.adapter.markSearchTextsChanged(db, collection, ids);
  await insertKeywords(
    db,
    collection,
    records.map((record, i) => ({ id: ids[i] ?? 0, keywords: record.keywords })),
  );
  return ids;
}

/** Stores new records, as `insertPlanned`. */
export async function insertRecords(
  db: Transaction,
  collection: Collection,
  records: readonly NewRecord[],
  stamp: Stamp,
  search: 'now' | 'later' = 'now',
): Promise<number[]> {
  return insertPlanned(db, collection, await planInsert(db, collection, records), stamp, search);
}

/** The states of a record before and after its change. */
interface RecordChange {
  readonly before: StoredRecord;
  readonly after: StoredRecord;
}

/** New states of existing records as rows, prepared before the transaction that stores them. */
interface UpdatePlan {
  readonly columns: readonly string[];
  readonly rows: ColumnValue[][];
  readonly ids: readonly number[];
  /** whether searched values have changed */
  readonly searchChanged: boolean;
  readonly keywordsChanged: readonly StoredRecord[];
  readonly changed: readonly ChangedFields[];
}

/** Builds the rows of changed records; each gets its version, values and keywords as given. */
export async function planUpdate(
  { adapter }: Pick<Transaction, 'adapter'>,
  collection: Collection,
  changes: readonly RecordChange[],
): Promise<UpdatePlan> {
  const changedIndexes = collection.fields
    .map((_, index) => index)
    .filter((index) =>
      changes.some(({ before, after }) => before.values[index] !== after.values[index]),
    );
  const keywordsChanged = changes.filter(({ before, after }) => before.keywords !== after.keywords);
  const textChanged = changedIndexes.some((index) => {
    const field = collection.fields[index];
    return field !== undefined && isText(field);
  });
  const searchChanged = textChanged || keywordsChanged.length > 0;
  const fields = changedIndexes.flatMap((index) => {
    const field = collection.fields[index];
    return field ? [{ field, index }] : [];
  });
  // Setting a column rewrites its index entry, even if the value is the same.
  const userChanged = changes.some(({ before, after }) => before.changedBy !== after.changedBy);
  const columns = [
    '_id',
    '_version',
    '_changed_at',
    ...(userChanged ? ['_changed_by', '_changed_by_fold'] : []),
    ...(searchChanged ? ['_search'] : []),
    ...fields.flatMap(({ field }) => columnsOf(field)).map(([name]) => name),
  ];
  const rows: ColumnValue[][] = [];
  for (const [i, { after }] of changes.entries()) {
    rows.push([
      after.id,
      after.version,
      after.changedAt,
      ...(userChanged ? [after.changedBy, fold(after.changedBy)] : []),
      ...(searchChanged ? [searchTextOf(collection, after.values, after.keywords)] : []),
      ...fields.flatMap(({ field, index }) =>
        storedValues(adapter, field, after.values[index] ?? null),
      ),
    ]);
    if (yieldsAfter(i)) await yieldToEventLoop();
  }
  return {
    columns,
    // Neighbouring rows are written together, which uses fewer pages of the cache.
    rows: rows.toSorted(([a], [b]) => Number(a) - Number(b)),
    ids: changes.map(({ after }) => after.id),
    searchChanged,
    keywordsChanged: keywordsChanged.map(({ after }) => after),
    changed: changedFields(collection, changes),
  };
}

/** Stores the new state of existing records. @param at milliseconds since 1970 UTC; defaults to that of the plan */
export async function updatePlanned(
  db: Transaction,
  collection: Collection,
  { columns, rows, ids, searchChanged, keywordsChanged, changed }: UpdatePlan,
  at?: number,
): Promise<void> {
  if (at !== undefined) for (const row of rows) row[columns.indexOf('_changed_at')] = at;
  await updateRows(db, tableName(collection), ['_id'], columns.slice(1), rows);
  await endExceptions(db, collection, changed);
  if (searchChanged) await db.adapter.markSearchTextsChanged(db, collection, ids);
  if (keywordsChanged.length > 0) {
    await deleteKeywords(
      db,
      collection,
      keywordsChanged.map(({ id }) => id),
    );
    await insertKeywords(db, collection, keywordsChanged);
  }
}

/** Stores the new state of existing records, as `planUpdate` and `updatePlanned`. */
export async function updateRecords(
  db: Transaction,
  collection: Collection,
  changes: readonly RecordChange[],
): Promise<void> {
  await updatePlanned(db, collection, await planUpdate(db, collection, changes));
}

/** Sets or removes a revision's lock, with its new version. */
export async function updateLock(
  db: Transaction,
  collection: Collection,
  id: number,
  version: number,
  lock: Lock | null,
): Promise<void> {
  await sql`update ${sql.table(tableName(collection))} set _version = ${version}, _locked_at = ${lock?.at ?? null},
    _locked_by = ${lock?.by ?? null}, _locked_session = ${lock?.sessionId ?? null} where _id = ${id}`.execute(
    db.k,
  );
}

/**
 * Deletes records with their search texts and keywords. Their history stays, and their exceptions of checks, which apply again
 * if they are restored.
 */
export async function deleteRecords(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<void> {
  if (collection.kind === 'archive') await deleteRows(db, keywordTable(collection), '_id', ids);
  await db.adapter.markSearchTextsChanged(db, collection, ids);
  await deleteRows(db, tableName(collection), '_id', ids);
}

async function takeIds(
  db: Transaction,
  collection: Collection,
  records: readonly NewRecord[],
): Promise<number[]> {
  const wanted = records.filter((record) => record.id === null).length;
  const next = wanted > 0 ? await db.adapter.takeIds(db, collection, wanted) : [];
  let taken = 0;
  return records.map((record) => record.id ?? next[taken++] ?? 0);
}

/** Deletes the values of keyword fields; those of retired fields stay. */
async function deleteKeywords(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<void> {
  const numbers = collection.keywordFields.map(({ number }) => number);
  await sql`delete from ${sql.table(keywordTable(collection))}
    where _id ${db.adapter.isAmong(ids)} and field ${db.adapter.isAmong(numbers)}`.execute(db.k);
}

async function insertKeywords(
  db: Transaction,
  collection: Collection,
  records: readonly { readonly id: number; readonly keywords: readonly (readonly string[])[] }[],
): Promise<void> {
  if (collection.keywordFields.length === 0) return;
  const rows: ColumnValue[][] = [];
  for (const { id, keywords } of records) {
    for (const [index, field] of collection.keywordFields.entries()) {
      keywords[index]?.forEach((value, position) =>
        rows.push([id, field.number, position, value, fold(value)]),
      );
    }
  }
  await insertRows(
    db,
    keywordTable(collection),
    ['_id', 'field', 'position', 'value', 'value_fold'],
    rows,
  );
}

/** The text by which the search finds a record: its texts and keywords. */
export function searchTextOf(
  collection: Collection,
  values: readonly Scalar[],
  keywords: readonly (readonly string[])[],
): string {
  const texts: string[] = [];
  collection.fields.forEach((field, index) => {
    const value = values[index];
    if (typeof value === 'string' && value !== '' && isText(field)) texts.push(value);
  });
  for (const list of keywords) texts.push(...list);
  return searchText(texts);
}
