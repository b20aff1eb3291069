import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import { comparedColumn, tableName, type CollectionRef, type StoredField } from './columns.ts';

/** Records whose values in some columns equal those of another record. */
interface Duplicates {
  /** how many records have a value in each of the columns */
  readonly compared: number;
  readonly count: number;
  /** the ids of the first of them */
  readonly ids: readonly number[];
}

/**
 * Finds the records that violate the uniqueness of a combination of columns. Records without a value in one of them
 * never do.
 * @param maxIds of the ids
 */
export async function findDuplicates(
  db: Transaction,
  collection: CollectionRef,
  fields: readonly StoredField[],
  maxIds: number,
): Promise<Duplicates> {
  const columns = fields.map((field) => sql.ref(comparedColumn(field)));
  const table = sql.table(tableName(collection));
  const hasAll = sql.join(
    columns.map((column) => sql`${column} is not null`),
    sql` and `,
  );
  const groups = sql`from ${table} where ${hasAll} group by ${sql.join(columns)}`;
  const { rows: counted } = await sql<{ compared: number; count: number }>`
    select cast(coalesce(sum(records), 0) as integer) as compared,
      cast(coalesce(sum(case when records > 1 then records else 0 end), 0) as integer) as count
    from (select count(*) as records ${groups}) as counts`.execute(db.k);
  const { compared, count } = counted[0] ?? { compared: 0, count: 0 };
  if (count === 0) return { compared, count, ids: [] };
  const duplicated = sql`select ${sql.join(columns)} ${groups} having count(*) > 1`;
  const { rows } = await sql<{ id: number }>`
    select _id as id from ${table} where (${sql.join(columns)}) in (${duplicated})
    order by _id limit ${maxIds}`.execute(db.k);
  return { compared, count, ids: rows.map(({ id }) => id) };
}
