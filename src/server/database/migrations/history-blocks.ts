import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/** Version 7: the blocks that give the entries of the history their positions, chained by their hashes. */
export async function createHistoryBlocks(db: Transaction): Promise<void> {
  const { text, bigint, strict } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('history_blocks')
    .addColumn('number', bigint, (column) => column.primaryKey().notNull())
    .addColumn('first_position', bigint, (column) => column.notNull().unique())
    .addColumn('entries', bigint, (column) => column.notNull())
    .addColumn('ids', text, (column) => column.notNull())
    .addColumn('last_id', bigint, (column) => column.notNull())
    .addColumn('sealed_at', bigint, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('progress', text)
    .modifyEnd(strict)
    .execute();
  if (db.adapter.dialect === 'sqlite') {
    await sql`create trigger history_blocks_keep_entries before update on history_blocks
      begin select raise(abort, 'history is append-only'); end`.execute(db.k);
    await sql`create trigger history_blocks_keep_all before delete on history_blocks
      begin select raise(abort, 'history is append-only'); end`.execute(db.k);
    return;
  }
  await sql`create trigger history_blocks_keep_entries before update or delete on history_blocks
    for each row execute function history_is_append_only()`.execute(db.k);
  await sql`create trigger history_blocks_keep_all before truncate on history_blocks
    for each statement execute function history_is_append_only()`.execute(db.k);
  await addTransactionIds(db);
}

/**
 * Entries store the id of the transaction that wrote them, because entry ids do not show the order of commits. Existing
 * entries have none; the default is set after the column is added, so that existing rows are not rewritten.
 */
async function addTransactionIds(db: Transaction): Promise<void> {
  await sql`alter table history add column xid xid8`.execute(db.k);
  await sql`alter table history alter column xid set default pg_current_xact_id()`.execute(db.k);
  await sql`create index history_xid on history (xid) where xid is not null`.execute(db.k);
}
