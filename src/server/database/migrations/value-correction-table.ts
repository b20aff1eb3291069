import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/**
 * Corrections of values in their order, instead of the aliases that they result in, so that those of a reverted bulk edit
 * can be left out.
 */
export async function createValueCorrections(db: Transaction): Promise<void> {
  const { text, integer, bigint, counted, strict } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('value_corrections')
    .ifNotExists()
    .addColumn('id', integer, counted)
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('field', integer, (column) => column.notNull())
    .addColumn('alias', text, (column) => column.notNull())
    .addColumn('value', text)
    .addColumn('bulk_edit_id', integer)
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await db.k.schema
    .createIndex('value_corrections_by_field')
    .ifNotExists()
    .on('value_corrections')
    .columns(['scope', 'thing_id', 'field'])
    .execute();
  await sql`insert into value_corrections
      (scope, thing_id, field, alias, value, bulk_edit_id, created_at, created_by)
    select scope, thing_id, field, alias, value, bulk_edit_id, created_at, created_by
    from value_aliases order by id`.execute(db.k);
  await db.k.schema.dropTable('value_aliases').execute();
}
