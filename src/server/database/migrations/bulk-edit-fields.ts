import type { Transaction } from '../database.ts';

/**
 * Bulk edits store the numbers of fields, because a name may belong to another field when they are applied or reverted.
 */
export async function storeBulkEditFieldNumbers(db: Transaction): Promise<void> {
  const columns = await db.adapter.tableColumns(db);
  if (columns.some(({ table, column }) => table === 'bulk_edits' && column === 'fields')) return;
  await db.k.schema
    .alterTable('bulk_edits')
    .addColumn('fields', db.adapter.columnTypes.text)
    .execute();
}
