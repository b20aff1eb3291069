import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/** Version 4: views also exist for data tables, whose ids overlap with those of archives. */
export async function allowViewsOfTables(db: Transaction): Promise<void> {
  const { text, integer, counted, strict, strictByKey } = db.adapter.columnTypes;
  const { schema } = db.k;
  // SQLite cannot change a table constraint, so both tables are recreated.
  await schema.alterTable('views').renameTo('views_before').execute();
  await schema.alterTable('last_views').renameTo('last_views_before').execute();
  await schema
    .createTable('views')
    .addColumn('id', integer, counted)
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('user_id', integer, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('name_key', text, (column) => column.notNull())
    .addColumn('shared', integer, (column) => column.notNull())
    .addColumn('search', text, (column) => column.notNull())
    .addUniqueConstraint('views_thing_name', ['scope', 'thing_id', 'user_id', 'name_key'])
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('last_views')
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('user_id', integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('search', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('last_views_thing_key', ['scope', 'thing_id', 'user_id'])
    .modifyEnd(strictByKey)
    .execute();
  await sql`insert into views (id, scope, thing_id, user_id, name, name_key, shared, search)
    select id, 'archive', archive_id, user_id, name, name_key, shared, search from views_before`.execute(
    db.k,
  );
  await sql`insert into last_views (scope, thing_id, user_id, search)
    select 'archive', archive_id, user_id, search from last_views_before`.execute(db.k);
  if (db.adapter.dialect === 'postgres') {
    await sql`select setval(pg_get_serial_sequence('views', 'id'), coalesce(max(id), 1), max(id) is not null)
      from views`.execute(db.k);
  }
  await schema.dropTable('views_before').execute();
  await schema.dropTable('last_views_before').execute();
}
