import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/**
 * Version 11: presence is stored per browser window, not per session; on PostgreSQL, where it is in a table. Browsers
 * send their presence again within a minute.
 */
export async function storePresenceByWindow(db: Transaction): Promise<void> {
  if (db.adapter.dialect === 'sqlite') return;
  await sql`drop table viewers`.execute(db.k);
  await sql`create unlogged table viewers (
    archive_id integer not null, row_id bigint not null, session_id text not null, window_id text not null,
    user_id integer not null, since bigint not null, seen_at bigint not null, editing integer not null,
    primary key (archive_id, row_id, session_id, window_id))`.execute(db.k);
}
