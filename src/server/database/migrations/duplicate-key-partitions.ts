import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/**
 * The keys of duplicates in one table with a partition for each check, which is filled before it has indexes. All checks are
 * counted again.
 */
export async function partitionDuplicateKeys(db: Transaction): Promise<void> {
  if (db.adapter.dialect !== 'postgres') return;
  await db.k.schema.dropTable('check_record_keys').ifExists().execute();
  await db.k.schema.dropTable('check_keys').execute();
  await db.k.schema
    .createTable('check_keys')
    .addColumn('check_id', 'integer', (column) => column.notNull())
    .addColumn('row_id', 'bigint', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('key', 'bigint', (column) => column.notNull())
    .modifyEnd(sql`partition by list (check_id)`)
    .execute();
  await db.k.updateTable('check_states').set({ count: null, due_at: 0 }).execute();
}
