import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/** Version 8: an index of the record ids alone, on SQLite, which otherwise reads whole rows to skip records. */
export async function indexIds(db: Transaction): Promise<void> {
  if (db.adapter.dialect !== 'sqlite') return;
  const { rows } = await sql<{ table: string }>`
    select tbl_name as "table" from sqlite_master
    where type = 'index' and name = tbl_name || '_changed_at'`.execute(db.k);
  for (const { table } of rows) {
    await sql`create index if not exists ${sql.ref(`${table}_id`)} on ${sql.table(table)} (_id)`.execute(
      db.k,
    );
  }
}
