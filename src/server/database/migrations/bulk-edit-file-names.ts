import type { Transaction } from '../database.ts';

/** Imports store the name of their file. */
export async function storeImportedFileNames(db: Transaction): Promise<void> {
  const columns = await db.adapter.tableColumns(db);
  if (columns.some(({ table, column }) => table === 'bulk_edits' && column === 'file_name')) return;
  await db.k.schema
    .alterTable('bulk_edits')
    .addColumn('file_name', db.adapter.columnTypes.text)
    .execute();
}
