import { sql } from 'kysely';
import type { FieldsWithoutIndexes, Transaction } from '../database.ts';
import {
  comparedColumn,
  tableName,
  type CollectionRef,
  type StoredField,
  type TableFields,
} from '../records/columns.ts';
import { countRows } from '../records/count-rows.ts';
import { createIndexSql, fieldIndexes } from '../records/record-tables.ts';

/** The records of a small table: an index of so many takes some milliseconds. */
const MAX_SMALL_TABLE = 1_000;

/** The indexes that the fields of a record table lack. */
export async function missingIndexes(db: Transaction, collection: TableFields) {
  const table = tableName(collection);
  const existing = await readIndexNames(db);
  const missing = collection.fields.flatMap((field) =>
    missingShapesOf(db, collection, field, existing).map((shape) => ({ field, shape })),
  );
  const columns = [...new Set(missing.map(({ field }) => comparedColumn(field)))];
  const counts = columns.map((column) => sql`count(${sql.ref(column)})`);
  const readAll = sql`select ${sql.join([sql`count(*)`, ...counts])} from ${sql.table(table)} not indexed`;
  const first = sql`(select 1 from ${sql.table(table)} limit ${MAX_SMALL_TABLE + 1})`;
  return {
    /** whether an index of the table is created faster than a thread starts */
    isSmallTable: (await countRows(db, first)) <= MAX_SMALL_TABLE,
    indexes: missing.map(({ shape }) => ({
      name: shape.name,
      /** the statement that creates it */
      create: createIndexSql(collection, shape).compile(db.k).sql,
    })),
    /** a statement that reads these fields of all rows from the table, as the creations do */
    warmUp: readAll.compile(db.k).sql,
  };
}

/** `RecordTables.fieldsWithoutIndexes` on SQLite. */
export async function fieldsWithoutIndexes<Of extends TableFields>(
  db: Transaction,
  collections: readonly Of[],
): Promise<FieldsWithoutIndexes<Of>[]> {
  const existing = await readIndexNames(db);
  return collections.flatMap((collection) => {
    const fields = collection.fields.filter(
      (field) => missingShapesOf(db, collection, field, existing).length > 0,
    );
    return fields.length > 0 ? [{ collection, fields }] : [];
  });
}

function missingShapesOf(
  db: Transaction,
  collection: CollectionRef,
  field: StoredField,
  existing: ReadonlySet<string>,
) {
  return fieldIndexes(db, collection, field).filter(({ name }) => !existing.has(name));
}

/** The names of all indexes of the database. */
async function readIndexNames(db: Transaction): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'index'`.execute(db.k);
  return new Set(rows.map(({ name }) => name));
}
