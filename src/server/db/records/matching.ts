import { sql } from 'kysely';
import type { Thing } from './thing.ts';
import type { Db } from '../database.ts';
import { tableName } from './columns.ts';
import { allOf } from './comparisons.ts';
import { testsOf, type Filter, type Part } from './conditions.ts';
import { idRows, IdSet, readIdList } from './id-sets.ts';
import { orderIndex } from './record-tables.ts';

/**
 * Finds all records that match a filter, on SQLite: where one part is met by few, the others are asked of each
 * of these; else every part's own index tells its ids and those that all tell are taken, as a look at a record
 * costs more than a hundred entries of an index.
 * @param few how many records are few
 * @returns null where there is no filter, so that all match
 */
export async function matchingIds(
  db: Db,
  thing: Thing,
  filter: Filter,
  few: number,
): Promise<IdSet | null> {
  if (filter.length === 0) return null;
  if (filter.length > 1) {
    for (const part of filter) {
      if (part.set === null || part.set.without) continue;
      const found = await readIdList(db, sql`${part.set.select} limit ${few + 1}`);
      if (found.length > few) continue;
      const others = filter.filter((other) => other !== part);
      return new IdSet(await meeting(db, thing, found, others));
    }
  }
  let ids: Float64Array | null = null;
  for (const { set } of [...filter].sort(exceptionsLast)) {
    if (set === null) throw new Error('Sets are for SQLite alone.');
    const found = await readIdList(db, set.select);
    if (ids === null && !set.without) ids = found;
    else {
      ids ??= await allIds(db, thing);
      ids = new IdSet(found).among(ids, !set.without);
    }
  }
  return ids && new IdSet(ids);
}

function exceptionsLast(a: Part, b: Part): number {
  return Number(a.set?.without) - Number(b.set?.without);
}

/** Those of the ids whose records meet all parts. */
function meeting(
  db: Db,
  thing: Thing,
  ids: Float64Array,
  parts: Filter,
): Promise<Float64Array> | Float64Array {
  if (ids.length === 0) return ids;
  return readIdList(
    db,
    sql`select _id from ${idRows(ids)} as one cross join ${sql.table(tableName(thing))} on _id = one.value
      where ${allOf(testsOf(parts))}`,
  );
}

/** The ids of all records. Read from a slim index: the table itself has the records' texts between the ids. */
export function allIds(db: Db, thing: Thing): Promise<Float64Array> {
  return readIdList(
    db,
    sql`select _id from ${sql.table(tableName(thing))} indexed by ${sql.ref(orderIndex(thing, 'changed_at'))}`,
  );
}
