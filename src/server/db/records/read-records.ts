import { sql, type RawBuilder } from 'kysely';
import type { Thing } from './thing.ts';
import type { Db } from '../database.ts';
import { runKept } from '../kept-texts.ts';
import { chunks } from './bulk.ts';
import { fromStored, keywordTable, tableName, valueColumn } from './columns.ts';
import type { DocumentPart, StoredRecord } from './record.ts';

type Row = Readonly<Record<string, unknown>>;

/** The ids of one statement; few sizes, so that few statements are prepared. */
const ID_CHUNKS = [500, 50, 1];

/**
 * Reads records by id.
 * @param lock inside a write: holds the rows until its end (PostgreSQL; in the order of their ids, so that two
 *   batches cannot wait for each other)
 * @returns what was found, by id
 */
export async function readRecords(
  db: Db,
  thing: Thing,
  ids: readonly number[],
  lock: 'lock' | 'look' = 'look',
): Promise<Map<number, StoredRecord>> {
  const found = new Map<number, StoredRecord>();
  const ordered = lock === 'lock' ? [...new Set(ids)].sort((a, b) => a - b) : ids;
  for (const chunk of chunks(ordered, ID_CHUNKS)) {
    const matching = () =>
      chunk.length === 1 ? sql`_id = ${0}` : sql`_id in (${sql.join(chunk)})`;
    const locking = lock === 'lock' && db.dialect === 'postgres';
    const { rows } = await runKept<Row>(
      db,
      thing,
      `records ${chunk.length} ${locking}`,
      () => sql`select ${selection(thing)} from ${sql.table(tableName(thing))} as record
        where ${matching()} ${locking ? sql`order by _id for no key update` : sql``}`,
      [...(thing.kind === 'archive' ? [Date.now()] : []), ...chunk],
    );
    const keywords = await readKeywords(db, thing, `of ${chunk.length}`, matching, chunk);
    for (const row of rows) {
      const record = toRecord(thing, row, keywords);
      found.set(record.id, record);
    }
  }
  return found;
}

/** Reads one record, or undefined. */
export async function readRecord(
  db: Db,
  thing: Thing,
  id: number,
  lock: 'lock' | 'look' = 'look',
): Promise<StoredRecord | undefined> {
  return (await readRecords(db, thing, [id], lock)).get(id);
}

/** So many at a time: a record may hold several megabytes. */
const WALK_CHUNKS = [200, 20, 1];

/**
 * The records of these ids, in pages, by id. A lock is there as it is stored, also where its session has ended.
 * @param ids ascending
 */
export async function* walkRecords(
  db: Db,
  thing: Thing,
  ids: readonly number[],
): AsyncGenerator<StoredRecord[]> {
  for (const chunk of chunks(ids, WALK_CHUNKS)) {
    const matching = () => sql`_id in (${sql.join(chunk)})`;
    const { rows } = await runKept<Row>(
      db,
      thing,
      `stored records ${chunk.length}`,
      () => sql`select ${selection(thing, 'as stored')} from ${sql.table(tableName(thing))} as record
        where ${matching()} order by _id`,
      chunk,
    );
    const keywords = await readKeywords(db, thing, `of stored ${chunk.length}`, matching, chunk);
    yield rows.map((row) => toRecord(thing, row, keywords));
  }
}

function selection(
  thing: Thing,
  locks: 'while they hold' | 'as stored' = 'while they hold',
): RawBuilder<unknown> {
  const columns = [
    '_id',
    '_version',
    '_created_at',
    '_changed_at',
    '_changed_by',
    ...thing.fields.map(valueColumn),
  ].map((column) => sql.ref(column));
  if (thing.kind === 'table') return sql.join(columns);
  columns.push(...['_document_id', '_revision', '_locked_at', '_locked_by'].map((c) => sql.ref(c)));
  if (locks === 'as stored') return sql.join([...columns, sql.ref('_locked_session')]);
  // A lock whose session has ended is no lock any more.
  const live = sql`(select 1 from sessions
    where sessions.id = record._locked_session and sessions.expires_at > ${Date.now()})`;
  return sql.join([
    ...columns,
    sql`case when _locked_session is not null and exists ${live} then _locked_session end as _locked_session`,
  ]);
}

function toRecord(thing: Thing, row: Row, keywords: ReadonlyMap<number, string[][]>): StoredRecord {
  const id = integer(row, '_id');
  return {
    id,
    version: integer(row, '_version'),
    createdAt: integer(row, '_created_at'),
    changedAt: integer(row, '_changed_at'),
    changedBy: text(row, '_changed_by'),
    values: thing.fields.map((field) => fromStored(field, row[valueColumn(field)])),
    keywords: keywords.get(id) ?? thing.keywordFields.map(() => []),
    document: thing.kind === 'archive' ? toDocumentPart(row) : null,
  };
}

function toDocumentPart(row: Row): DocumentPart {
  const sessionId = row['_locked_session'];
  return {
    documentId: integer(row, '_document_id'),
    revision: integer(row, '_revision'),
    lock:
      typeof sessionId === 'string'
        ? { by: text(row, '_locked_by'), at: integer(row, '_locked_at'), sessionId }
        : null,
  };
}

async function readKeywords(
  db: Db,
  thing: Thing,
  which: string,
  matching: () => RawBuilder<unknown>,
  parameters: readonly number[],
): Promise<Map<number, string[][]>> {
  const byId = new Map<number, string[][]>();
  if (thing.keywordFields.length === 0) return byId;
  const places = new Map(thing.keywordFields.map((field, place) => [field.number, place]));
  const { rows } = await runKept<{ _id: number; field: number; value: string }>(
    db,
    thing,
    `keywords ${which}`,
    () => sql`select _id, field, value from ${sql.table(keywordTable(thing))}
      where ${matching()} order by _id, field, position`,
    parameters,
  );
  for (const { _id, field, value } of rows) {
    let keywords = byId.get(_id);
    if (!keywords) {
      keywords = thing.keywordFields.map(() => []);
      byId.set(_id, keywords);
    }
    keywords[places.get(field) ?? -1]?.push(value);
  }
  return byId;
}

function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new Error(`Column ${column} holds no number`);
  return value;
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`Column ${column} holds no text`);
  return value;
}
