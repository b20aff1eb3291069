import type { Transaction } from '../database.ts';

/** Corrections of values that users have made, so that imports and pastes apply them as well. */
export async function createValueAliases(db: Transaction): Promise<void> {
  const { text, integer, bigint, counted, strict } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('value_aliases')
    .ifNotExists()
    .addColumn('id', integer, counted)
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('field', integer, (column) => column.notNull())
    .addColumn('alias', text, (column) => column.notNull())
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('bulk_edit_id', integer, (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addUniqueConstraint('value_aliases_key', ['scope', 'thing_id', 'field', 'alias'])
    .modifyEnd(strict)
    .execute();
}
