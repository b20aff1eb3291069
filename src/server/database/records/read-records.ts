import { sql, type RawBuilder } from 'kysely';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { yieldToEventLoop } from '../cooperative-yield.ts';
import { integerAt, textAt } from '../row-values.ts';
import { chunks } from './bulk.ts';
import { fromStored, keywordTable, tableName, valueColumn } from './columns.ts';
import { LOCK_ENDING } from './held-locks.ts';
import type { DocumentPart, StoredRecord } from './record.ts';

/** the columns of `selection` */
type Row = readonly unknown[];

/** The ids of one statement; few sizes, so that few statements are prepared. */
const ID_CHUNKS = [500, 50, 1];

/**
 * Reads records by id.
 * @param lock inside a write: holds the rows until its end (PostgreSQL; in the order of their ids, so that two
 *   batches cannot wait for each other)
 * @returns what was found, by id
 */
export async function readRecords(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
  lock: 'lock' | 'look' = 'look',
): Promise<Map<number, StoredRecord>> {
  const found = new Map<number, StoredRecord>();
  const ordered = lock === 'lock' ? [...new Set(ids)].sort((a, b) => a - b) : ids;
  for (const chunk of chunks(ordered, ID_CHUNKS)) {
    const matching = () =>
      chunk.length === 1 ? sql`_id = ${0}` : sql`_id in (${sql.join(chunk)})`;
    // Those of keywords go behind, where statements are sent without waiting, and so see what the lock has waited for.
    const statement = {
      owner: collection,
      name: `records ${chunk.length} ${lock}`,
      build:
        () => sql`select ${selection(collection)} from ${sql.table(tableName(collection))} as record
        where ${matching()} ${lock === 'lock' ? sql`order by _id ${db.adapter.lockRows}` : sql``}`,
    };
    const asked = db.run(statement, [
      ...(collection.kind === 'archive' ? [Date.now()] : []),
      ...chunk,
    ]);
    const [rows, keywords] = await Promise.all([
      asked,
      readKeywords(db, collection, `of ${chunk.length}`, matching, chunk),
    ]);
    for (const row of rows) {
      const record = toRecord(collection, row, keywords);
      found.set(record.id, record);
    }
    if (chunk.length > 1) await yieldToEventLoop();
  }
  return found;
}

/** Reads one record, or undefined. */
export async function readRecord(
  db: Transaction,
  collection: Collection,
  id: number,
  lock: 'lock' | 'look' = 'look',
): Promise<StoredRecord | undefined> {
  return (await readRecords(db, collection, [id], lock)).get(id);
}

/** So many at a time: a record may hold several megabytes. */
const WALK_PAGE = 200;

/** All records in pages, by id. A lock is returned as it is stored, also where its session has ended. */
export async function* walkRecords(
  db: Transaction,
  collection: Collection,
): AsyncGenerator<StoredRecord[]> {
  const statement = {
    owner: collection,
    name: 'page of stored records',
    build:
      () => sql`select ${selection(collection, 'as stored')} from ${sql.table(tableName(collection))} as record
        where _id > ${0} order by _id limit ${sql.lit(WALK_PAGE)}`,
  };
  const inPage = () => sql`_id > ${0} and _id <= ${0}`;
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const rows = await db.run(statement, [after]);
    const end = rows.at(-1);
    if (!end) return;
    const last = integerAt(end, AT.id);
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
  // A lock whose session or token has ended is no lock any more.
  return sql.join([
    ...columns,
    sql`case when _locked_session is not null and ${LOCK_ENDING} > ${Date.now()}
      then _locked_session end as _locked_session`,
  ]);
}

/** Where the columns of `selection` stand; those of the document follow the values. */
const AT = { id: 0, version: 1, createdAt: 2, changedAt: 3, changedBy: 4, values: 5 } as const;

function toRecord(
  collection: Collection,
  row: Row,
  keywords: ReadonlyMap<number, string[][]>,
): StoredRecord {
  const id = integerAt(row, AT.id);
  const { fields } = collection;
  return {
    id,
    version: integerAt(row, AT.version),
    createdAt: integerAt(row, AT.createdAt),
    changedAt: integerAt(row, AT.changedAt),
    changedBy: textAt(row, AT.changedBy),
    values: fields.map((field, place) => fromStored(field, row[AT.values + place])),
    keywords: keywords.get(id) ?? collection.keywordFields.map(() => []),
    document: collection.kind === 'archive' ? toDocumentPart(row, AT.values + fields.length) : null,
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
  const places = new Map(collection.keywordFields.map((field, place) => [field.number, place]));
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
    keywords[places.get(integerAt(row, 1)) ?? -1]?.push(textAt(row, 2));
  }
  return byId;
}
