import type { Transaction } from '../database.ts';

/** The texts of files, and the values that do not occur in them. */
export async function createFileTexts(db: Transaction): Promise<void> {
  const { text, integer, bigint, strict, strictByKey } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('file_texts')
    .ifNotExists()
    .addColumn('sha256', text, (column) => column.primaryKey().notNull())
    .addColumn('location', text, (column) => column.notNull())
    .addColumn('content_type', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('attempts', integer, (column) => column.notNull())
    .addColumn('lease_owner', text)
    .addColumn('lease_until', bigint, (column) => column.notNull())
    .addColumn('text', text)
    .addColumn('is_cut', integer, (column) => column.notNull())
    .addColumn('problem', text)
    .modifyEnd(strict)
    .execute();
  await db.k.schema
    .createIndex('file_texts_state')
    .ifNotExists()
    .on('file_texts')
    .columns(['state', 'attempts'])
    .execute();
  await db.k.schema
    .createTable('page_misses')
    .ifNotExists()
    .addColumn('archive_id', integer, (column) => column.notNull())
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addColumn('field', integer, (column) => column.notNull())
    .addColumn('value', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('page_misses_key', ['archive_id', 'row_id', 'field'])
    .modifyEnd(strictByKey)
    .execute();
}
