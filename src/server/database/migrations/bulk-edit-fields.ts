import type { Transaction } from '../database.ts';

/** Bulk edits remember the numbers of fields: names may belong to other fields when they are applied or reverted. */
export async function rememberBulkEditFields(db: Transaction): Promise<void> {
  const columns = await db.adapter.tableColumns(db);
  if (columns.some(({ table, column }) => table === 'bulk_edits' && column === 'fields')) return;
  await db.k.schema
    .alterTable('bulk_edits')
    .addColumn('fields', db.adapter.columnTypes.text)
    .execute();
}
