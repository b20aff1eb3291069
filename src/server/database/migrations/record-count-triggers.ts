import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import { createCountFunction, createCountTriggers } from '../postgres/record-counts.ts';

/**
 * Version 16: triggers count the records of each archive and table on PostgreSQL, where counting a million records
 * takes longer than everything else that opens an archive.
 */
export async function countRecordsByTriggers(db: Transaction): Promise<void> {
  if (db.adapter.dialect === 'sqlite') return;
  const { text, bigint } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('record_counts')
    .ifNotExists()
    .addColumn('collection', text, (column) => column.notNull())
    .addColumn('id', bigint, (column) => column.notNull().generatedAlwaysAsIdentity())
    .addColumn('change', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('record_counts_key', ['collection', 'id'])
    .execute();
  await createCountFunction(db);
  await db.k.deleteFrom('record_counts').execute();
  const { rows } = await sql<{ table: string }>`
    select relname as "table" from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and relname ~ '^(archive|table)_[0-9]+$' order by relname`.execute(db.k);
  for (const { table } of rows) {
    // Blocks writes until the end of the migration, so that none is missed between the two.
    await createCountTriggers(db, table);
    await sql`insert into record_counts (collection, change)
      select ${table}, count(*) from ${sql.table(table)}`.execute(db.k);
  }
}
