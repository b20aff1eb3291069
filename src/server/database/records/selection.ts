import { sql } from 'kysely';
import type { ListFilter } from '#shared/lists.ts';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName } from './columns.ts';
import { allOf, type Sql } from './comparisons.ts';
import { SMALL_SET_LIMIT, filterOf, testsOf, type Filter } from './conditions.ts';
import { idRows, RowIdBitmap, readIdList } from './row-id-bitmap.ts';
import { allIds, matchingIds } from './matching.ts';

/** Records that something is asked about: by their ids on SQLite, by conditions on PostgreSQL. */
export interface Selection {
  readonly collection: Collection;
  readonly count: number;
  /** SQLite alone; null: all records */
  readonly members: RowIdBitmap | null;
  /** PostgreSQL alone */
  readonly tests: readonly Sql[];
}

/**
 * All that match a filter.
 * @param more what else they must meet
 */
export async function selectMatching(
  db: Transaction,
  collection: Collection,
  filter: ListFilter,
  few = SMALL_SET_LIMIT,
  more: Filter = [],
): Promise<Selection> {
  const parts = [...(await filterOf(db, collection, filter, few)), ...more];
  if (db.dialect === 'postgres') return byTests(db, collection, testsOf(parts));
  const members = await matchingIds(db, collection, parts, few);
  return {
    collection,
    members,
    tests: [],
    count: members?.size ?? (await countRows(db, collection, [])),
  };
}

/** Records by their ids; those that are not there are left out. */
export async function selectByIds(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<Selection> {
  if (db.dialect === 'postgres') {
    return byTests(db, collection, [sql`_id = any(${[...ids]}::bigint[])`]);
  }
  const given = new RowIdBitmap(Float64Array.from(ids)).ascending;
  const found = await readIdList(
    db,
    sql`select _id from ${idRows(given)} as one cross join ${sql.table(tableName(collection))} on _id = one.value`,
  );
  const members = new RowIdBitmap(found);
  return { collection, members, tests: [], count: members.size };
}

async function byTests(
  db: Transaction,
  collection: Collection,
  tests: readonly Sql[],
): Promise<Selection> {
  return { collection, members: null, tests, count: await countRows(db, collection, tests) };
}

async function countRows(
  db: Transaction,
  collection: Collection,
  tests: readonly Sql[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(tableName(collection))} where ${allOf(tests)}`.execute(
    db.k,
  );
  return rows[0]?.count ?? 0;
}

/** How many records one statement looks at on SQLite, so that other requests find their turn between them. */
export const LOOKED_AT_ONCE = 8_000;

/** SQLite: the ids in pieces that one statement looks at. */
export async function* pieces(
  db: Transaction,
  { collection, members }: Selection,
): AsyncGenerator<Float64Array> {
  const ids = members ? members.ascending : await allIds(db, collection);
  for (let at = 0; at < ids.length; at += LOOKED_AT_ONCE) {
    yield ids.subarray(at, at + LOOKED_AT_ONCE);
    await new Promise(setImmediate);
  }
}
