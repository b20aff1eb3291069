import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import { tableName, type Named } from './columns.ts';

/** The number of values of a keyword field in all records. @param number of the field */
export async function countKeywords(
  db: Transaction,
  collection: Named,
  number: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select cast(count(*) as integer) as count from ${sql.table(`${tableName(collection)}_keywords`)}
    where field = ${number}`.execute(db.k);
  return rows[0]?.count ?? 0;
}
