import { sql } from 'kysely';
import type { Database } from './database.ts';

/** The tables whose rows expire, with the column of when they do, or of their making or last use. */
const TIME_COLUMNS = {
  devices: 'last_used_at',
  running_requests: 'lease_until',
  sign_in_failures: 'last_at',
  stored_answers: 'created_at',
  used_challenges: 'expires_at',
  used_tokens: 'expires_at',
} as const;

/**
 * Deletes the rows of a table whose time is earlier than `time`, in milliseconds since 1970 UTC. It writes only if there
 * are any.
 */
export async function deleteRowsBefore(
  database: Database,
  table: keyof typeof TIME_COLUMNS,
  time: number,
): Promise<void> {
  const isExpired = sql`${sql.ref(TIME_COLUMNS[table])} < ${time}`;
  const { rows } = await database.read((db) =>
    sql`select 1 from ${sql.table(table)} where ${isExpired} limit 1`.execute(db.k),
  );
  if (rows.length === 0) return;
  await database.write((db) =>
    sql`delete from ${sql.table(table)} where ${isExpired}`.execute(db.k),
  );
}
