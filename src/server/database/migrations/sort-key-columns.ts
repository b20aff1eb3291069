import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import { foldColumn, keyColumn, valueColumn, type StoredField } from '../records/columns.ts';
import { createSortKeyTrigger, keyExpression } from '../postgres/sort-key-trigger.ts';

/**
 * Version 12: the sort keys of texts become columns on PostgreSQL, which can then use index-only scans. They are
 * generated columns, because rewriting a table is the fastest way to fill them; version 14 makes them plain.
 * @returns the record tables that PostgreSQL has rewritten
 */
export async function addSortKeyColumns(db: Transaction): Promise<string[]> {
  if (db.adapter.dialect === 'sqlite') return [];
  const tables = await readTextFields(db);
  for (const [table, fields] of tables) {
    const index = ({ number }: { number: number }) => sql.ref(`${table}_f${number}`);
    // Indexes that are dropped first are not rebuilt with the table, which is then written once.
    await sql`drop index if exists ${sql.join(fields.map(index))}`.execute(db.k);
    const added = fields.map((field) => {
      const key = keyExpression(sql.ref(foldColumn(field)), sql.ref(valueColumn(field)));
      return sql`add column ${sql.ref(keyColumn(field))} text collate "C" generated always as ${key} stored`;
    });
    await sql`alter table ${sql.table(table)} ${sql.join(added)}`.execute(db.k);
    for (const field of fields) {
      await sql`create index ${index(field)} on ${sql.table(table)}
        (${sql.ref(keyColumn(field))}, _id)`.execute(db.k);
    }
  }
  return [...tables.keys()];
}

/**
 * Version 14: the sort keys become plain columns that a trigger writes, so that adding a text field rewrites no table.
 * The stored keys stay.
 */
export async function writeSortKeysByTrigger(db: Transaction): Promise<void> {
  if (db.adapter.dialect === 'sqlite') return;
  for (const [table, fields] of await readTextFields(db)) {
    const plain = fields.map(
      (field) => sql`alter column ${sql.ref(keyColumn(field))} drop expression if exists`,
    );
    await sql`alter table ${sql.table(table)} ${sql.join(plain)}`.execute(db.k);
    await createSortKeyTrigger(db, table, fields);
  }
}

/** The text fields of each record table, read from PostgreSQL. */
async function readTextFields(db: Transaction): Promise<Map<string, StoredField[]>> {
  const { rows } = await sql<{ table: string; number: number }>`
    select class.relname as "table", substring(attribute.attname from 2 for strpos(attribute.attname, '_') - 2)::int as number
    from pg_class as class
      join pg_attribute as attribute on attribute.attrelid = class.oid and not attribute.attisdropped
    where class.relnamespace = current_schema()::regnamespace and class.relkind = 'r'
      and class.relname ~ '^(archive|table)_[0-9]+$' and attribute.attname ~ '^f[0-9]+_fold$'
    order by class.relname, attribute.attnum`.execute(db.k);
  const fields = new Map<string, StoredField[]>();
  for (const { table, number } of rows) {
    const known = fields.get(table) ?? [];
    known.push({ number, type: 'text' });
    fields.set(table, known);
  }
  return fields;
}
