import { sql, type RawBuilder } from 'kysely';
import type { CachedStatement, Transaction } from '#server/database/database.ts';
import { integerAt, textAt } from '#server/database/row-values.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { READ_CHUNK_SIZES, chunks, insertRows } from '#server/database/records/bulk-statements.ts';
import type { ColumnValue } from '#server/database/records/columns.ts';
import type { Collection } from '#server/database/records/collection.ts';
import {
  HISTORY_KINDS,
  type HistoryKind,
  type HistoryScope,
} from '#server/database/tables/history-tables.ts';
import { readChanges, toCurrentNames, type Change, type CurrentChange } from './changes.ts';

/** The author of an action, with address and call: part of every entry. */
export interface Actor {
  readonly userId: number | null;
  readonly username: string;
  readonly address: string | null;
  /** method and route, or the command */
  readonly call: string;
}

/** An entry to be written. */
interface NewEntry extends Actor {
  readonly at: number;
  readonly rowId: number;
  /** the record's version after the change */
  readonly version: number;
  readonly kind: HistoryKind;
  readonly changes: readonly Change[];
}

export interface StoredEntry extends NewEntry {
  readonly id: number;
  readonly changes: readonly CurrentChange[];
}

const COLUMNS = [
  'at',
  'user_id',
  'username',
  'address',
  'call',
  'scope',
  'thing_id',
  'row_id',
  'version',
  'kind',
  'changes',
];

/** The subject of an entry: records of an archive or table, or another object (`HistoryRow`). */
type Subject = Pick<Collection, 'id'> & { readonly kind: HistoryScope };

/** The transactions that have appended entries. */
const appendingTransactions = new WeakSet<Transaction>();

/** Whether entries were appended in a transaction. */
export function hasAppended(db: Transaction): boolean {
  return appendingTransactions.has(db);
}

/** An entry as a row of the table, in the order of `COLUMNS`. */
export type EntryRow = ColumnValue[];

export function rowOfEntry(collection: Subject, entry: NewEntry): EntryRow {
  return [
    entry.at,
    entry.userId,
    entry.username,
    entry.address,
    entry.call,
    collection.kind,
    collection.id,
    entry.rowId,
    entry.version,
    entry.kind,
    JSON.stringify(entry.changes),
  ];
}

/** Sets the time of entries that were prepared before their transaction, and the ids of new records. */
export function stampRows(rows: readonly EntryRow[], at: number, rowIds?: readonly number[]): void {
  for (const [i, row] of rows.entries()) {
    row[COLUMNS.indexOf('at')] = at;
    if (rowIds) row[COLUMNS.indexOf('row_id')] = rowIds[i] ?? 0;
  }
}

export async function insertEntryRows(db: Transaction, rows: readonly EntryRow[]): Promise<void> {
  if (rows.length > 0) appendingTransactions.add(db);
  await insertRows(db, 'history', COLUMNS, rows);
}

export async function insertEntries(
  db: Transaction,
  collection: Subject,
  entries: readonly NewEntry[],
): Promise<void> {
  await insertEntryRows(
    db,
    entries.map((entry) => rowOfEntry(collection, entry)),
  );
}

type Row = Omit<StoredEntry, 'changes'> & { readonly changes: string };

/** @param clauses further conditions on `entry`, order and limit */
async function selectRows(
  db: Transaction,
  { kind, id }: Subject,
  clauses: RawBuilder<unknown>,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, at, user_id as "userId", username, address, call, row_id as "rowId", version, kind, changes
    from history as entry where scope = ${kind} and thing_id = ${id} ${clauses}`.execute(db.k);
  return rows;
}

async function select(
  db: Transaction,
  collection: Collection,
  clauses: RawBuilder<unknown>,
): Promise<StoredEntry[]> {
  const rows = await selectRows(db, collection, clauses);
  return rows.map((row) => ({
    ...row,
    changes: toCurrentNames(collection, readChanges(row.changes)),
  }));
}

/** The entries about an object that is not a record, newest first, with their stored changes. */
export async function readHistoryAbout(
  db: Transaction,
  subject: Subject,
  rowId: number,
): Promise<StoredEntry[]> {
  const rows = await selectRows(db, subject, sql`and row_id = ${rowId} order by id desc`);
  return rows.map((row) => ({ ...row, changes: readChanges(row.changes) }));
}

/** Reads by many ids, in several statements. */
async function readByIds<Found>(
  ids: readonly number[],
  read: (some: RawBuilder<unknown>) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const all: Found[] = [];
  for (const chunk of chunks(ids, READ_CHUNK_SIZES)) {
    for (const found of await read(sql.join(chunk))) all.push(found);
    if (chunk.length > 1) await yieldToEventLoop();
  }
  return all;
}

/**
 * The entries of the deletions of records that do not exist now, newest first.
 * @param before only older ones than this entry; null: from the newest on
 */
export function readDeletionEntries(
  db: Transaction,
  collection: Collection,
  before: number | null,
  limit: number,
): Promise<StoredEntry[]> {
  const older =
    before === null
      ? sql``
      : sql`and (at, id) < ((select at from history where id = ${before}), ${before})`;
  // The kind is in the text of the statement, so that the index of deletions is used.
  const deletions = sql`and kind = 'delete' ${older} and not exists (
      select 1 from history as later
      where later.scope = entry.scope and later.thing_id = entry.thing_id
        and later.row_id = entry.row_id and later.id > entry.id
    ) order by at desc, id desc limit ${limit}`;
  return select(db, collection, deletions);
}

/** The entries of several records, newest first, by their ids. */
export async function readStoredHistories(
  db: Transaction,
  collection: Collection,
  rowIds: readonly number[],
): Promise<Map<number, StoredEntry[]>> {
  const entries = await readByIds(rowIds, (some) =>
    select(db, collection, sql`and row_id in (${some}) order by row_id, id desc`),
  );
  return Map.groupBy(entries, ({ rowId }) => rowId);
}

/** Entries by their ids, oldest first. */
export function readHistoryEntries(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<StoredEntry[]> {
  const ordered = ids.toSorted((a, b) => a - b);
  return readByIds(ordered, (some) => select(db, collection, sql`and id in (${some}) order by id`));
}

/** Entries whose changes are searched by one statement: they may have several megabytes. */
const SCANNED_CHUNK_SIZES = [50, 10, 1];

/**
 * Whether one of some entries may have changed the values of a field: also where a record was created, deleted or restored.
 * @param name of the field in the history
 */
export async function mayChangeField(
  db: Transaction,
  ids: readonly number[],
  name: string,
): Promise<boolean> {
  // In other texts of the JSON the quotes are escaped. `_` stands for any character, which finds too many at most.
  const pattern = `%"name":${JSON.stringify(name)}%`;
  for (const some of chunks(ids, SCANNED_CHUNK_SIZES)) {
    const { rows } = await sql`select id from history where id in (${sql.join(some)})
      and (kind not in ('change', 'lock') or changes like ${pattern}) limit 1`.execute(db.k);
    if (rows.length > 0) return true;
    await yieldToEventLoop();
  }
  return false;
}

/** Few, because an entry may have several megabytes. */
const ENTRY_BATCH_SIZE = 4;

/** The next few entries of a record with later versions than this one, oldest first. @param afterId 0: from the first */
export function readEntriesAfterVersion(
  db: Transaction,
  collection: Collection,
  rowId: number,
  version: number,
  afterId: number,
): Promise<StoredEntry[]> {
  const later = sql`and row_id = ${rowId} and version > ${version} and id > ${afterId}
    order by id limit ${ENTRY_BATCH_SIZE}`;
  return select(db, collection, later);
}

/** The ids of the newest entries of records, by the records' ids. */
export async function readNewestHistoryIds(
  db: Transaction,
  { kind, id }: Collection,
  rowIds: readonly number[],
): Promise<Map<number, number>> {
  const newest = await readByIds(rowIds, async (some) => {
    const { rows } = await sql<{ row_id: number; id: number }>`
      select row_id, max(id) as id from history
      where scope = ${kind} and thing_id = ${id} and row_id in (${some}) group by row_id`.execute(
      db.k,
    );
    return rows;
  });
  return new Map(newest.map((entry) => [entry.row_id, entry.id]));
}

/** The data of an entry that `verify` reads. */
export interface EntryRecord extends Omit<NewEntry, 'userId' | 'address' | 'call' | 'changes'> {
  readonly id: number;
  /** as it is stored; for `readChanges` */
  readonly changes: string;
}

/** Entries per page; few, because an entry may have several megabytes. */
const PAGE_SIZE = 200;

/**
 * All entries of an archive or table, or about objects that are not records, in pages: by row, the entries of each
 * oldest first.
 * @param subject as `HistoryRow` of the schema defines for the scope
 */
export async function* iterateEntries(
  db: Transaction,
  subject: Subject,
): AsyncGenerator<EntryRecord[]> {
  for (let [lastRow, lastId] = [Number.MIN_SAFE_INTEGER, 0]; ;) {
    const rows = await db.run(SCAN, [subject.kind, subject.id, lastRow, lastId]);
    if (rows.length > 0) yield rows.map(toScannedEntry);
    const end = rows.at(-1);
    if (!end || rows.length < PAGE_SIZE) return;
    [lastId, lastRow] = [integerAt(end, 0), integerAt(end, 3)];
  }
}

const SCAN: CachedStatement = {
  owner: iterateEntries,
  name: 'scan',
  build: () => sql`select id, at, username, row_id, version, kind, changes from history
    where scope = ${null} and thing_id = ${null} and (row_id, id) > (${null}, ${null})
    order by row_id, id limit ${sql.lit(PAGE_SIZE)}`,
};

function toScannedEntry(row: readonly unknown[]): EntryRecord {
  return {
    id: integerAt(row, 0),
    at: integerAt(row, 1),
    username: textAt(row, 2),
    rowId: integerAt(row, 3),
    version: integerAt(row, 4),
    kind: kindOf(textAt(row, 5)),
    changes: textAt(row, 6),
  };
}

/** The display names of users, by their usernames. */
export async function readDisplayNames(
  db: Transaction,
  usernames: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const chunk of chunks(usernames, READ_CHUNK_SIZES)) {
    const rows = await db.k
      .selectFrom('users')
      .select(['username', 'display_name'])
      .where('username', 'in', [...chunk])
      .execute();
    for (const { username, display_name } of rows) names.set(username, display_name);
  }
  return names;
}

function kindOf(stored: string): HistoryKind {
  return HISTORY_KINDS.find((kind) => kind === stored) ?? 'change';
}
