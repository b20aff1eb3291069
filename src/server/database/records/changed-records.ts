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

interface ChangedRecordsOptions {
  /** how many ids are read at most */
  readonly limit?: number;
  /** the kinds of entries to ignore */
  readonly ignoredKinds?: readonly HistoryKind[];
}

/**
 * The distinct ids of the records of an archive or table with a history entry after the given one. On SQLite, ids of entries
 * are in commit order. On PostgreSQL the result is complete only if the given entry was read while no transaction could
 * write (`Adapter.lockDefinition`).
 */
export async function readChangedRecords(
  db: Transaction,
  { kind, id }: Pick<Collection, 'kind' | 'id'>,
  entry: number,
  { limit, ignoredKinds = [] }: ChangedRecordsOptions = {},
): Promise<number[]> {
  const isCounted =
    ignoredKinds.length === 0 ? sql`` : sql`and kind not in (${sql.join(ignoredKinds)})`;
  const end = limit === undefined ? sql`` : sql`limit ${limit}`;
  // Expressions instead of columns, so that the primary key is used; otherwise the whole index of records would be read.
  const { rows } = await sql<{ id: number }>`
    select distinct row_id as id from history
    where id > ${entry} and scope || '' = ${kind} and thing_id + 0 = ${id} ${isCounted} ${end}`.execute(
    db.k,
  );
  return rows.map((row) => row.id);
}
