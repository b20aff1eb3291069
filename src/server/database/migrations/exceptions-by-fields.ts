import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/** Lets a record have several exceptions from a check, about different fields. */
export async function keyExceptionsByFields(db: Transaction): Promise<void> {
  const { text, integer, bigint, strictByKey } = db.adapter.columnTypes;
  await sql`create table former_exceptions as select * from check_exceptions`.execute(db.k);
  await db.k.schema.dropTable('check_exceptions').execute();
  await db.k.schema
    .createTable('check_exceptions')
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('with_id', bigint, (column) => column.notNull())
    .addColumn('fields', text, (column) => column.notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('made_by', text, (column) => column.notNull())
    .addColumn('made_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('check_exceptions_key', [
      'scope',
      'thing_id',
      'row_id',
      'name',
      'with_id',
      'fields',
    ])
    .modifyEnd(strictByKey)
    .execute();
  await sql`insert into check_exceptions
      (scope, thing_id, row_id, name, with_id, fields, reason, made_by, made_at)
    select scope, thing_id, row_id, name, with_id, fields, reason, made_by, made_at
    from former_exceptions`.execute(db.k);
  await db.k.schema.dropTable('former_exceptions').execute();
}
