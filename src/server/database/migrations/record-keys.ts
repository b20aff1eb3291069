import type { Transaction } from '../database.ts';

/** The keys of duplicates in the order of the records, in a table: as an index it took a page for each row. All checks are counted again. */
export async function createRecordKeys(db: Transaction): Promise<void> {
  const { integer, bigint, strictByKey } = db.adapter.columnTypes;
  for (const table of ['check_keys', 'check_findings', 'check_states'] as const) {
    await db.k.deleteFrom(table).execute();
  }
  await db.k.schema.dropIndex('check_keys_row').ifExists().execute();
  await db.k.schema
    .createTable('check_record_keys')
    .ifNotExists()
    .addColumn('check_id', integer, (column) => column.notNull())
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addColumn('part', integer, (column) => column.notNull())
    .addColumn('key', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('check_record_keys_key', ['check_id', 'row_id', 'part'])
    .modifyEnd(strictByKey)
    .execute();
}
