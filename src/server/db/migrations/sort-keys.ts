import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { keyColumn } from '../records/columns.ts';
import { keyDeclaration } from '../records/sort-key.ts';

/**
 * Version 12: the sort keys of texts are columns of their own, on PostgreSQL, which thereby reads their indexes alone.
 * @returns the record tables, which PostgreSQL has written anew
 */
export async function storeSortKeys(db: Db): Promise<string[]> {
  if (db.dialect === 'sqlite') return [];
  const { rows } = await sql<{ table: string; number: number }>`
    select class.relname as "table", substring(attribute.attname from 2 for strpos(attribute.attname, '_') - 2)::int as number
    from pg_class as class
      join pg_attribute as attribute on attribute.attrelid = class.oid and not attribute.attisdropped
    where class.relnamespace = current_schema()::regnamespace and class.relkind = 'r'
      and class.relname ~ '^(archive|table)_[0-9]+$' and attribute.attname ~ '^f[0-9]+_fold$'
    order by class.relname, attribute.attnum`.execute(db.k);
  const tables = Map.groupBy(rows, ({ table }) => table);
  for (const [table, texts] of tables) {
    const fields = texts.map(({ number }) => ({ number, type: 'text' }) as const);
    const index = ({ number }: { number: number }) => sql.ref(`${table}_f${number}`);
    // What is dropped first is not made anew with the table, which is written once.
    await sql`drop index if exists ${sql.join(fields.map(index))}`.execute(db.k);
    const added = fields.map((field) => sql`add column ${keyDeclaration(field)}`);
    await sql`alter table ${sql.table(table)} ${sql.join(added)}`.execute(db.k);
    for (const field of fields) {
      await sql`create index ${index(field)} on ${sql.table(table)}
        (${sql.ref(keyColumn(field))}, _id)`.execute(db.k);
    }
  }
  return [...tables.keys()];
}
