import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import type { Collection } from '../records/collection.ts';
import { comparedColumn, tableName } from '../records/columns.ts';
import { createIndexSql, fieldIndexes } from '../records/record-tables.ts';

/** An index that a field of a record table lacks. */
export interface MissingIndex {
  readonly name: string;
  /** the statement that creates it */
  readonly create: string;
  /** a statement that reads the field of all rows from the table, as `create` does */
  readonly warmUp: string;
}

export async function missingIndexes(
  db: Transaction,
  collection: Collection,
): Promise<MissingIndex[]> {
  const table = tableName(collection);
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema
    where type = 'index' and tbl_name = ${table}`.execute(db.k);
  const existing = new Set(rows.map(({ name }) => name));
  return collection.fields.flatMap((field) => {
    const readAll = sql`select count(${sql.ref(comparedColumn(field))}) from ${sql.table(table)} not indexed`;
    const warmUp = readAll.compile(db.k).sql;
    return fieldIndexes(db, collection, field).flatMap((shape) => {
      if (existing.has(shape.name)) return [];
      return [
        { name: shape.name, create: createIndexSql(collection, shape).compile(db.k).sql, warmUp },
      ];
    });
  });
}
