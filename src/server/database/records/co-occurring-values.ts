import { sql } from 'kysely';
import type { Condition } from '#shared/rules/lists.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { fromStored, tableName, valueColumn, type StoredField } from './columns.ts';
import { allOf } from './comparisons.ts';
import { countRows } from './count-rows.ts';

/** Records that meet a condition: enough for statistics, and fast to read. */
const MAX_COMPARED = 300;
/** Records for the most frequent values. */
const SAMPLE_SIZE = 2_000;

/**
 * The values of a field in some records that meet a condition, with their number of records, most frequent first. Only the
 * 300 with the highest ids are read, so that a condition that half of the records meet is not slower than others.
 */
export async function coOccurringValues(
  db: Transaction,
  collection: Collection,
  field: StoredField,
  condition: Condition,
): Promise<{ value: Scalar; count: number }[]> {
  const value = sql.ref(valueColumn(field));
  const conditions = await db.lists.conditions(collection, { where: [condition], q: '' });
  const { rows } = await sql<{ value: unknown; count: number }>`
    select value, count(*) as count from (
      select ${value} as value from ${sql.table(tableName(collection))}
      where ${allOf(conditions)} order by _id desc limit ${MAX_COMPARED}) as found
    where value is not null group by value order by count desc, value`.execute(db.k);
  return rows.flatMap((row) => {
    const found = fromStored(field, row.value);
    return found === '' ? [] : [{ value: found, count: row.count }];
  });
}

/**
 * The values of a field in a sample: at most 2,000 records, evenly spread over the ids. It contains the frequent
 * values; if there are fewer records, it contains all.
 */
export async function sampledValues(
  db: Transaction,
  collection: Collection,
  field: StoredField,
): Promise<Scalar[]> {
  const table = sql.table(tableName(collection));
  const span = await sql<{ lowest: number | null; highest: number | null }>`
    select (select min(_id) from ${table}) as lowest, (select max(_id) from ${table}) as highest`.execute(
    db.k,
  );
  const { lowest = null, highest = null } = span.rows[0] ?? {};
  if (lowest === null || highest === null) return [];
  const step = Math.max(1, (highest - lowest + 1) / SAMPLE_SIZE);
  const ids: number[] = [];
  for (let at = lowest; at <= highest; at += step) ids.push(Math.floor(at));
  const value = sql.ref(valueColumn(field));
  const { rows } = await sql<{ value: unknown }>`
    select ${value} as value from ${table} where _id ${db.adapter.isAmong(ids)}`.execute(db.k);
  const values = rows.map((row) => fromStored(field, row.value));
  return values.filter((found) => found !== null && found !== '');
}

/** The number of records that have each of these values in a field. */
export async function countValues(
  db: Transaction,
  collection: Collection,
  conditions: readonly (Condition & { op: 'eq' })[],
): Promise<number[]> {
  const counts: number[] = [];
  for (const condition of conditions) {
    const conditions = await db.lists.conditions(collection, { where: [condition], q: '' });
    const matching = sql`${sql.table(tableName(collection))} where ${allOf(conditions)}`;
    counts.push(await countRows(db, matching));
  }
  return counts;
}
