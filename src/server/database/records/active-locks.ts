import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import type { Archive } from './collection.ts';
import { tableName } from './columns.ts';

/** A revision that is locked. */
interface ActiveLock {
  readonly revisionId: number;
  readonly documentId: number;
  readonly by: string;
  /** milliseconds since 1970 UTC */
  readonly at: number;
  readonly sessionId: string;
}

/** When the session or token that holds the lock of a `record` ends; null: it has ended. */
export const LOCK_END = sql<number | null>`coalesce(
  (select expires_at from sessions where sessions.id = record._locked_session),
  (select expires_at from access_tokens where access_tokens.id = record._locked_session))`;

/** The locks of revisions whose sessions and tokens have not ended, oldest first; reads the whole archive. */
export async function readActiveLocks(
  db: Transaction,
  archive: Archive,
  limit: number,
): Promise<ActiveLock[]> {
  const { rows } = await sql<ActiveLock>`
    select record._id as "revisionId", record._document_id as "documentId", record._locked_by as "by",
      record._locked_at as "at", record._locked_session as "sessionId"
    from ${sql.table(tableName(archive))} as record
    where record._locked_session is not null and ${LOCK_END} > ${Date.now()}
    order by record._locked_at, record._id limit ${limit}`.execute(db.k);
  return rows;
}
