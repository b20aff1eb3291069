import type { Transaction } from '../database.ts';

/** Version 20: how large the installation was on each day. */
export async function createDailySizes(db: Transaction): Promise<void> {
  const { text, bigint, strict } = db.adapter.columnTypes;
  const counts = [
    'database_bytes',
    'file_bytes',
    'files',
    'documents',
    'datasets',
    'history_entries',
  ];
  let table = db.k.schema
    .createTable('daily_sizes')
    .ifNotExists()
    .addColumn('day', text, (column) => column.primaryKey().notNull());
  for (const name of counts) table = table.addColumn(name, bigint, (column) => column.notNull());
  await table.modifyEnd(strict).execute();
}
