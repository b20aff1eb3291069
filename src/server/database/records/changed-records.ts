import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import type { HistoryKind } from '../tables/history-tables.ts';
import type { Collection } from './collection.ts';

/** The id of the newest history entry; 0: there is none. */
export async function readNewestHistoryId(db: Transaction): Promise<number> {
  const { rows } = await sql<{ newest: number | null }>`
    select max(id) as newest from history`.execute(db.k);
  return rows[0]?.newest ?? 0;
}

/**
 * The distinct ids of the records of an archive or table with a history entry after the given one. On SQLite, where ids
 * are in commit order.
 * @param ignoredKinds the kinds of entries to ignore
 */
export async function readChangedSince(
  db: Transaction,
  { kind, id }: Pick<Collection, 'kind' | 'id'>,
  entry: number,
  limit: number,
  ignoredKinds: readonly HistoryKind[] = [],
): Promise<number[]> {
  const isCounted =
    ignoredKinds.length === 0 ? sql`` : sql`and kind not in (${sql.join(ignoredKinds)})`;
  // Uses the primary key; otherwise the whole index of records would be read.
  const { rows } = await sql<{ id: number }>`
    select distinct row_id as id from history not indexed
    where id > ${entry} and scope = ${kind} and thing_id = ${id} ${isCounted} limit ${limit}`.execute(
    db.k,
  );
  return rows.map(({ id }) => id);
}

/**
 * The ids of the records of an archive or table with a history entry after the given one. On PostgreSQL the result is
 * complete only if that entry was read while no transaction could write (`Adapter.lockDefinition`).
 */
export async function readChangedAfter(
  db: Transaction,
  { kind, id }: Pick<Collection, 'kind' | 'id'>,
  entry: number,
): Promise<number[]> {
  // Uses the primary key; otherwise the whole index of records would be read.
  const { rows } = await sql<{ id: number }>`
    select distinct row_id as id from history
    where id > ${entry} and scope || '' = ${kind} and thing_id + 0 = ${id}`.execute(db.k);
  return rows.map((row) => row.id);
}
