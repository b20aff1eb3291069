import { sql, type RawBuilder } from 'kysely';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { yieldToEventLoop } from '../cooperative-yield.ts';
import { integerAt, textAt } from '../row-values.ts';
import { READ_CHUNK_SIZES, paddedChunks } from './bulk-statements.ts';
import { fromStored, keywordTable, tableName, valueColumn } from './columns.ts';
import { LOCK_END } from './active-locks.ts';
import type { DocumentPart, StoredRecord } from './record.ts';

/** the columns of `selection` */
type Row = readonly unknown[];

/**
 * Reads records by id.
 * @param lock inside a write: locks the rows until its end (PostgreSQL; in the order of their ids, so that two batches
 * cannot wait for each other)
 * @returns what was found, by id
 */
export async function readRecords(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
  lock: 'lock' | 'no lock' = 'no lock',
): Promise<Map<number, StoredRecord>> {
  const found = new Map<number, StoredRecord>();
  const ordered = lock === 'lock' ? [...new Set(ids)].sort((a, b) => a - b) : ids;
  for (const chunk of paddedChunks(ordered, READ_CHUNK_SIZES)) {
    const matching = () =>
      chunk.length === 1 ? sql`_id = ${0}` : sql`_id in (${sql.join(chunk)})`;
    // The keywords are read afterwards: on PostgreSQL statements are pipelined, so this statement sees what was
    // committed while the previous one waited for the lock.
    const statement = {
      owner: collection,
      name: `records ${chunk.length} ${lock}`,
      build:
        () => sql`select ${selection(collection)} from ${sql.table(tableName(collection))} as record
        where ${matching()} ${lock === 'lock' ? sql`order by _id ${db.adapter.lockRows}` : sql``}`,
    };
    const reading = db.run(statement, [
      ...(collection.kind === 'archive' ? [Date.now()] : []),
      ...chunk,
    ]);
    const [rows, keywords] = await Promise.all([
      reading,
      readKeywords(db, collection, `of ${chunk.length}`, matching, chunk),
    ]);
    for (const row of rows) {
      const record = toRecord(collection, row, keywords);
      found.set(record.id, record);
    }
    if (ordered.length > MAX_AT_ONCE) await yieldToEventLoop();
  }
  return found;
}

/** Reads of at most this many records run to their end at once. */
const MAX_AT_ONCE = 10;

/** Reads one record, or undefined. */
export async function readRecord(
  db: Transaction,
  collection: Collection,
  id: number,
): Promise<StoredRecord | undefined> {
  return (await readRecords(db, collection, [id])).get(id);
}

/** Records per page; few, because a record may have several megabytes. */
const PAGE_SIZE = 200;

/** All records in pages, by id. A lock is returned as stored, even if its session has ended. */
export async function* iterateRecords(
  db: Transaction,
  collection: Collection,
): AsyncGenerator<StoredRecord[]> {
  const statement = {
    owner: collection,
    name: 'page of stored records',
    build:
      () => sql`select ${selection(collection, 'as stored')} from ${sql.table(tableName(collection))} as record
        where _id > ${0} order by _id limit ${sql.lit(PAGE_SIZE)}`,
  };
  const inPage = () => sql`_id > ${0} and _id <= ${0}`;
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const rows = await db.run(statement, [after]);
    const end = rows.at(-1);
    if (!end) return;
    const last = integerAt(end, COLUMN_POSITIONS.id);
    const keywords = await readKeywords(db, collection, 'of a page', inPage, [after, last]);
    yield rows.map((row) => toRecord(collection, row, keywords));
    after = last;
  }
}

function selection(
  collection: Collection,
  locks: 'while they hold' | 'as stored' = 'while they hold',
): RawBuilder<unknown> {
  const columns = [
    '_id',
    '_version',
    '_created_at',
    '_changed_at',
    '_changed_by',
    ...collection.fields.map(valueColumn),
  ].map((column) => sql.ref(column));
  if (collection.kind === 'table') return sql.join(columns);
  columns.push(...['_document_id', '_revision', '_locked_at', '_locked_by'].map((c) => sql.ref(c)));
  if (locks === 'as stored') return sql.join([...columns, sql.ref('_locked_session')]);
  // A lock is void once its session or token has ended.
  return sql.join([
    ...columns,
    sql`case when _locked_session is not null and ${LOCK_END} > ${Date.now()}
      then _locked_session end as _locked_session`,
  ]);
}

/** The positions of the columns of `selection`; those of the document follow the values. */
const COLUMN_POSITIONS = {
  id: 0,
  version: 1,
  createdAt: 2,
  changedAt: 3,
  changedBy: 4,
  values: 5,
} as const;

function toRecord(
  collection: Collection,
  row: Row,
  keywords: ReadonlyMap<number, string[][]>,
): StoredRecord {
  const id = integerAt(row, COLUMN_POSITIONS.id);
  const { fields } = collection;
  return {
    id,
    version: integerAt(row, COLUMN_POSITIONS.version),
    createdAt: integerAt(row, COLUMN_POSITIONS.createdAt),
    changedAt: integerAt(row, COLUMN_POSITIONS.changedAt),
    changedBy: textAt(row, COLUMN_POSITIONS.changedBy),
    values: fields.map((field, index) => fromStored(field, row[COLUMN_POSITIONS.values + index])),
    keywords: keywords.get(id) ?? collection.keywordFields.map(() => []),
    document:
      collection.kind === 'archive'
        ? toDocumentPart(row, COLUMN_POSITIONS.values + fields.length)
        : null,
  };
}

function toDocumentPart(row: Row, from: number): DocumentPart {
  const sessionId = row[from + 4];
  return {
    documentId: integerAt(row, from),
    revision: integerAt(row, from + 1),
    lock:
      typeof sessionId === 'string'
        ? { by: textAt(row, from + 3), at: integerAt(row, from + 2), sessionId }
        : null,
  };
}

async function readKeywords(
  db: Transaction,
  collection: Collection,
  which: string,
  matching: () => RawBuilder<unknown>,
  parameters: readonly number[],
): Promise<Map<number, string[][]>> {
  const byId = new Map<number, string[][]>();
  if (collection.keywordFields.length === 0) return byId;
  const indexes = new Map(collection.keywordFields.map((field, index) => [field.number, index]));
  const statement = {
    owner: collection,
    name: `keywords ${which}`,
    build: () => sql`select _id, field, value from ${sql.table(keywordTable(collection))}
      where ${matching()} order by _id, field, position`,
  };
  const rows = await db.run(statement, parameters);
  for (const row of rows) {
    const id = integerAt(row, 0);
    let keywords = byId.get(id);
    if (!keywords) {
      keywords = collection.keywordFields.map(() => []);
      byId.set(id, keywords);
    }
    keywords[indexes.get(integerAt(row, 1)) ?? -1]?.push(textAt(row, 2));
  }
  return byId;
}
