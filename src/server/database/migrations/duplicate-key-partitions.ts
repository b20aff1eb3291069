import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/** The keys of duplicates in a partition for each check, which is filled before it has an index. All checks are counted again. */
export async function partitionDuplicateKeys(db: Transaction): Promise<void> {
  if (db.adapter.dialect !== 'postgres') return;
  for (const table of ['check_keys', 'check_record_keys'] as const) {
    await db.k.schema.dropTable(table).execute();
    await db.k.schema
      .createTable(table)
      .addColumn('check_id', 'integer', (column) => column.notNull())
      .addColumn('row_id', 'bigint', (column) => column.notNull())
      .addColumn('part', 'integer', (column) => column.notNull())
      .addColumn('key', 'bigint', (column) => column.notNull())
      .modifyEnd(sql`partition by list (check_id)`)
      .execute();
  }
  await db.k.updateTable('check_states').set({ count: null, due_at: 0 }).execute();
}
