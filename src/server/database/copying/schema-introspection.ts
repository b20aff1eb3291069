import type { Transaction } from '../database.ts';

/** A table as the database itself describes it. */
export interface TableShape {
  readonly name: string;
  /** in alphabetical order, so that both databases return the same */
  readonly columns: readonly string[];
  /** columns of text, which may be long */
  readonly texts: readonly string[];
  /** the columns of the primary key, in its order */
  readonly key: readonly string[];
  /** the column that counts upwards, or null */
  readonly counter: string | null;
}

/**
 * All tables of the database with their columns, except the internal tables of SQLite's full-text search and the sort
 * keys of texts, which PostgreSQL computes from other columns.
 */
export async function readTableShapes(db: Transaction): Promise<ReadonlyMap<string, TableShape>> {
  const rows = await db.adapter.tableColumns(db);
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
