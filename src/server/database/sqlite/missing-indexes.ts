import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import type { Collection } from '../records/collection.ts';
import { comparedColumn, tableName } from '../records/columns.ts';
import { createIndexSql, fieldIndexes } from '../records/record-tables.ts';

/** The indexes that the fields of a record table lack. */
interface MissingIndexes {
  readonly indexes: readonly {
    readonly name: string;
    /** the statement that creates it */
    readonly create: string;
  }[];
  /** a statement that reads these fields of all rows from the table, as the creations do */
  readonly warmUp: string;
}

export async function missingIndexes(
  db: Transaction,
  collection: Collection,
): Promise<MissingIndexes> {
  const table = tableName(collection);
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema
    where type = 'index' and tbl_name = ${table}`.execute(db.k);
  const existing = new Set(rows.map(({ name }) => name));
  const missing = collection.fields.flatMap((field) =>
    fieldIndexes(db, collection, field)
      .filter(({ name }) => !existing.has(name))
      .map((shape) => ({ field, shape })),
  );
  const columns = [...new Set(missing.map(({ field }) => comparedColumn(field)))];
  const counts = columns.map((column) => sql`count(${sql.ref(column)})`);
  const readAll = sql`select ${sql.join([sql`count(*)`, ...counts])} from ${sql.table(table)} not indexed`;
  return {
    indexes: missing.map(({ shape }) => ({
      name: shape.name,
      create: createIndexSql(collection, shape).compile(db.k).sql,
    })),
    warmUp: readAll.compile(db.k).sql,
  };
}
