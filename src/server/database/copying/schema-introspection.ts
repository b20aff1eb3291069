import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/** A table as the database itself describes it. */
export interface TableShape {
  readonly name: string;
  /** in alphabetical order, so that both databases tell the same */
  readonly columns: readonly string[];
  /** columns of text, which may be long */
  readonly texts: readonly string[];
  /** the columns of the primary key, in its order */
  readonly key: readonly string[];
  /** the column that counts upwards, or null */
  readonly counter: string | null;
}

interface Row {
  table: string;
  column: string;
  text: boolean | number;
  /** from 1; 0 where it is not of the key */
  key_position: number;
  counter: boolean | number;
}

/**
 * All tables of the database with their columns, but for what SQLite's search keeps for itself, and for the sort keys
 * of texts, which PostgreSQL computes of other columns.
 */
export async function readTableShapes(db: Transaction): Promise<ReadonlyMap<string, TableShape>> {
  const { rows } = await (db.dialect === 'sqlite' ? SQLITE : POSTGRES).execute(db.k);
  const shapes = new Map<string, TableShape>();
  for (const [name, columns] of Map.groupBy(rows, ({ table }) => table)) {
    const sorted = columns.toSorted((a, b) => (a.column < b.column ? -1 : 1));
    shapes.set(name, {
      name,
      columns: sorted.map(({ column }) => column),
      texts: sorted.filter(({ text }) => Boolean(text)).map(({ column }) => column),
      key: columns
        .filter((column) => column.key_position > 0)
        .toSorted((a, b) => a.key_position - b.key_position)
        .map(({ column }) => column),
      counter: columns.find(({ counter }) => Boolean(counter))?.column ?? null,
    });
  }
  return shapes;
}

const SQLITE = sql<Row>`
  select list.name as "table", info.name as "column", info.type = 'TEXT' as text, info.pk as key_position,
    info.pk = 1 and master.sql like '%autoincrement%' as counter
  from pragma_table_list as list
    join sqlite_master as master on master.name = list.name
    join pragma_table_info(list.name) as info
  where list.schema = 'main' and list.type = 'table' and list.name not like 'sqlite\_%' escape '\\'`;

const POSTGRES = sql<Row>`
  select class.relname as "table", attribute.attname as "column",
    attribute.atttypid = 'text'::regtype as text,
    coalesce(array_position(key.indkey::int2[], attribute.attnum) + 1, 0)::integer as key_position,
    attribute.attidentity <> '' as counter
  from pg_class as class
    join pg_attribute as attribute
      on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
        and not (class.relname ~ '^(archive|table)_[0-9]+$' and attribute.attname ~ '^f[0-9]+_key$')
    left join pg_index as key on key.indrelid = class.oid and key.indisprimary
  where class.relnamespace = current_schema()::regnamespace and class.relkind in ('r', 'p')`;
