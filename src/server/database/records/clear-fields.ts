import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import { columnsOf, tableName, type CollectionRef, type StoredField } from './columns.ts';
import type { Sql } from './comparisons.ts';

/** Removes the values of fields from some records; versions and the history do not change. */
export async function clearFields(
  db: Transaction,
  collection: CollectionRef,
  fields: readonly StoredField[],
  where: Sql,
): Promise<void> {
  await clearColumns(
    db,
    collection,
    fields.flatMap(columnsOf).map(([name]) => name),
    where,
  );
}

/** Removes the values of columns of fields, by default from all records. */
export async function clearColumns(
  db: Transaction,
  collection: CollectionRef,
  names: readonly string[],
  where: Sql = sql`true`,
): Promise<void> {
  const columns = names.map((name) => sql.ref(name));
  if (columns.length === 0) return;
  const nothing = sql.join(columns.map((column) => sql`${column} = null`));
  const filled = sql.join(
    columns.map((column) => sql`${column} is not null`),
    sql` or `,
  );
  await sql`update ${sql.table(tableName(collection))} set ${nothing} where ${where} and (${filled})`.execute(
    db.k,
  );
}
