import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import type { Collection } from './collection.ts';
import { keywordTable, tableName, type CollectionRef } from './columns.ts';
import { allOf, type Sql } from './comparisons.ts';
import { countRows } from './count-rows.ts';
import type { RecordGrouping, RecordFilter, ValueInUse } from './list-reader.ts';

/** The number of values of a keyword field in all records. @param number of the field */
export function countKeywords(
  db: Transaction,
  collection: CollectionRef,
  number: number,
): Promise<number> {
  return countRows(db, sql`${sql.table(keywordTable(collection))} where field = ${number}`);
}

/** Which values of a keyword field are counted, and in which order they come. */
interface KeywordGrouping extends Omit<RecordGrouping, 'by' | 'sums'> {
  /** folded text that a value must contain */
  readonly part?: string;
  /** folded text with which a value must begin */
  readonly start?: string;
}

/**
 * Counts the records that match by their values of a keyword field, each value once for a record. Records without a value are not
 * counted.
 */
export async function keywordGroups(
  db: Transaction,
  collection: Collection,
  number: number,
  filter: RecordFilter,
  { part = '', start = '', sort, limit, offset, withTotal }: KeywordGrouping,
): Promise<{
  readonly groups: readonly (ValueInUse & { value: string })[];
  readonly total: number | null;
}> {
  const conditions = await db.lists.conditions(collection, filter);
  const folded = sql.ref('value_fold');
  const tests: Sql[] = [sql<boolean>`field = ${number}`];
  if (part !== '') tests.push(db.adapter.contains(folded, part));
  if (start !== '') tests.push(sql<boolean>`substr(value_fold, 1, ${start.length}) = ${start}`);
  if (conditions.length > 0) {
    tests.push(
      sql<boolean>`_id in (select _id from ${sql.table(tableName(collection))} where ${allOf(conditions)})`,
    );
  }
  const from = sql`from ${sql.table(keywordTable(collection))} where ${allOf(tests)}
    group by value_fold, value`;
  const down = sort === '-value' ? sql` desc` : sql``;
  const byCount = sort === 'count' ? sql`count, ` : sort === '-count' ? sql`count desc, ` : sql``;
  const { rows } = await sql<{ value: string; count: number }>`
    select value, cast(count(distinct _id) as integer) as count ${from}
    order by ${byCount} value_fold${down}, value${down} limit ${limit} offset ${offset}`.execute(
    db.k,
  );
  const total = withTotal ? await countRows(db, sql`(select 1 ${from}) as found`) : null;
  return { groups: rows, total };
}
