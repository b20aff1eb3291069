import { sql } from 'kysely';
import type { ListQuery } from '#shared/lists.ts';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName } from './columns.ts';
import { allOf } from './comparisons.ts';
import { SMALL_SET_LIMIT, filterOf, testsOf } from './conditions.ts';
import { placesOf } from './list-records.ts';
import { matchingIds } from './matching.ts';
import { readRecord } from './read-records.ts';
import { afterSql, orderOf } from './sorting.ts';
import { countBefore } from './sqlite-lists.ts';

/**
 * Where a record stands in a list, from 0; null where it is not there or does not match.
 * @param few for tests: how many records SQLite takes for few
 */
export async function positionInList(
  db: Transaction,
  collection: Collection,
  query: Pick<ListQuery, 'where' | 'q' | 'sort'>,
  id: number,
  few = SMALL_SET_LIMIT,
): Promise<number | null> {
  const record = await readRecord(db, collection, id);
  if (!record) return null;
  const orders = await orderOf(db, collection, query.sort);
  const filter = await filterOf(db, collection, query, few);
  const cursor = await placesOf(db, collection, orders, record);
  if (db.dialect === 'sqlite') {
    const members = await matchingIds(db, collection, filter, few);
    if (members && !members.has(id)) return null;
    return countBefore(db, collection, orders, members, cursor, few);
  }
  const terms = orders.flatMap((order) => order.terms);
  const { rows } = await sql<{ found: number; before: number }>`
    select count(*) filter (where _id = ${id}) as found,
      count(*) filter (where _id <> ${id} and ${afterSql(terms, cursor.places, id)} is not true) as before
    from ${sql.table(tableName(collection))} where ${allOf(testsOf(filter))}`.execute(db.k);
  const [counts] = rows;
  return counts && counts.found > 0 ? counts.before : null;
}
