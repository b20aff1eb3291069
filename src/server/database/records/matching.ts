import { sql } from 'kysely';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName } from './columns.ts';
import { allOf, type SelectedSet } from './comparisons.ts';
import { testsOf, type Filter, type Part } from './conditions.ts';
import { RowIdBitmap, readIdList, readMeeting } from './row-id-bitmap.ts';
import type { CollectionCache } from './filter-cache.ts';
import { orderIndex } from './record-tables.ts';

/**
 * Finds all records that match a filter, on SQLite: where one part is met by few, the others are asked of each
 * of these; else every part's own index tells its ids and those that all tell are taken, as a look at a record
 * costs more than a hundred entries of an index.
 * @param few how many records are few
 * @returns null where there is no filter, so that all match; not to be changed, as it may be kept
 */
export async function matchingIds(
  db: Transaction,
  collection: Collection,
  filter: Filter,
  few: number,
): Promise<RowIdBitmap | null> {
  if (filter.length === 0) return null;
  const kept = (await db.kept?.of(db, collection)) ?? null;
  const parts = await known(db, collection, filter, kept);
  const selected = (part: KnownPart) => (part.selected ??= part.set());
  if (filter.length > 1) {
    const smallest = parts.reduce((least, part) => (sizeOf(part) < sizeOf(least) ? part : least));
    if (smallest.ids && smallest.ids.size <= few)
      return new RowIdBitmap(
        await meetingAll(db, collection, smallest.ids.ascending, smallest, parts),
      );
    for (const part of parts) {
      if (part.ids) continue;
      const { select, without, doubtful } = await selected(part);
      if (without) continue;
      const found = await readIdList(db, sql`${select} limit ${few + 1}`);
      if (found.length > few) continue;
      const right = await corrected(db, collection, part, new RowIdBitmap(found), doubtful);
      return new RowIdBitmap(await meetingAll(db, collection, right.ascending, part, parts));
    }
  }
  let ids: RowIdBitmap | null = null;
  for (const part of parts) {
    if (part.ids) ids = ids ? ids.meet(part.ids) : part.ids;
  }
  const others = [];
  for (const part of parts) if (!part.ids) others.push({ part, set: await selected(part) });
  for (const { part, set } of others.sort(
    (a, b) => Number(a.set.without) - Number(b.set.without),
  )) {
    const find = () => readSet(db, collection, part, set);
    if (kept) {
      const found = await kept.set(db, collection, part, find);
      ids = ids ? ids.meet(found) : found;
    } else if (ids && set.without) {
      ids = ids.meet(await readSelected(db, collection, part, set), false);
    } else {
      const found = await find();
      ids = ids ? ids.meet(found) : found;
    }
  }
  return ids;
}

/**
 * The first records that match, by their ids, without all the others, on SQLite.
 * @param mostCounted up to so many are counted, and one more; null: none are
 * @returns undefined where all are found as fast, or are kept
 */
export async function firstMatching(
  db: Transaction,
  collection: Collection,
  filter: Filter,
  offset: number,
  limit: number,
  mostCounted: number | null,
): Promise<{ readonly ids: number[]; readonly count: number | null } | undefined> {
  const [part, ...others] = filter;
  if (!part?.set || others.length > 0 || offset > MOST_PASSED) return undefined;
  const kept = await db.kept?.of(db, collection);
  // Who asks again turns the pages, or will come back.
  if (kept?.isWanted(part.key)) return undefined;
  const { select, without, ascending, doubtful } = await part.set();
  if (without || !ascending) return undefined;
  if (doubtful && (await readIdList(db, sql`${doubtful} limit 1`)).length > 0) return undefined;
  const ids = await readIdList(db, sql`${select} limit ${limit} offset ${offset}`);
  if (mostCounted === null) return { ids: [...ids], count: null };
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${select} limit ${mostCounted + 1})`.execute(db.k);
  return { ids: [...ids], count: rows[0]?.count ?? 0 };
}

const MOST_PASSED = 1_000;

interface KnownPart extends Part {
  readonly set: () => Promise<SelectedSet>;
  /** those that meet it, where they are kept */
  readonly ids: RowIdBitmap | undefined;
  selected: Promise<SelectedSet> | undefined;
}

async function known(
  db: Transaction,
  collection: Collection,
  filter: Filter,
  kept: CollectionCache | null,
): Promise<KnownPart[]> {
  const parts: KnownPart[] = [];
  for (const part of filter) {
    const { set } = part;
    if (set === null) throw new Error('Sets are for SQLite alone.');
    const ids = await kept?.known(db, collection, part);
    parts.push({ ...part, set, ids, selected: undefined });
  }
  return parts;
}

function sizeOf({ ids }: KnownPart): number {
  return ids ? ids.size : Infinity;
}

async function readSet(
  db: Transaction,
  collection: Collection,
  part: Part,
  set: SelectedSet,
): Promise<RowIdBitmap> {
  const found = await readSelected(db, collection, part, set);
  return set.without ? (await allRecords(db, collection)).meet(found, false) : found;
}

async function readSelected(
  db: Transaction,
  collection: Collection,
  part: Part,
  set: SelectedSet,
): Promise<RowIdBitmap> {
  const found = new RowIdBitmap(await readIdList(db, set.select));
  return corrected(db, collection, part, found, set.doubtful);
}

/** Puts right what an index may have told wrongly. */
async function corrected(
  db: Transaction,
  collection: Collection,
  { test }: Part,
  found: RowIdBitmap,
  doubtful: SelectedSet['doubtful'],
): Promise<RowIdBitmap> {
  const asked = doubtful ? await readIdList(db, doubtful) : [];
  if (asked.length === 0) return found;
  const meeting = new Set(await readMeeting(db, collection, Float64Array.from(asked), test));
  for (const id of asked) found.set(id, meeting.has(id));
  return found;
}

/** Those of some ids that meet all parts but the one by which they were found. */
function meetingAll(
  db: Transaction,
  collection: Collection,
  ids: Float64Array,
  found: KnownPart,
  parts: readonly KnownPart[],
): Promise<Float64Array> | Float64Array {
  let left = ids;
  for (const part of parts) if (part !== found && part.ids) left = part.ids.among(left);
  const others = parts.filter((part) => part !== found && !part.ids);
  if (left.length === 0 || others.length === 0) return left;
  return readMeeting(db, collection, left, allOf(testsOf(others)));
}

/** All records; not to be changed, as they may be kept. */
export async function allRecords(db: Transaction, collection: Collection): Promise<RowIdBitmap> {
  const kept = await db.kept?.of(db, collection);
  const table = sql.table(tableName(collection));
  const find = async () => {
    const { rows } = await sql<{ least: number | null; most: number | null; count: number }>`
      select (select min(_id) from ${table}) as least, (select max(_id) from ${table}) as most,
        (select count(*) from ${table}) as count`.execute(db.k);
    const { least = null, most = null, count = 0 } = rows[0] ?? {};
    if (
      least !== null &&
      most !== null &&
      most - least + 1 === count &&
      most < MOST_IN_A_RANGE &&
      least >= 0
    )
      return RowIdBitmap.range(least, most);
    return new RowIdBitmap(await readAllIds(db, collection));
  };
  return kept ? kept.set(db, collection, ALL, find) : find();
}

/** No change of a field is about it, only that a record comes or goes. */
const ALL = { key: 'all', test: sql<boolean>`1 = 1`, name: '' };

/** Ids of as many records would be too many for bits. */
const MOST_IN_A_RANGE = 2 ** 31;

/** The ids of all records, ascending. */
export async function allIds(db: Transaction, collection: Collection): Promise<Float64Array> {
  return db.kept ? (await allRecords(db, collection)).ascending : readAllIds(db, collection);
}

/** Read from a slim index: the table itself has the records' texts between the ids. */
function readAllIds(db: Transaction, collection: Collection): Promise<Float64Array> {
  return readIdList(
    db,
    sql`select _id from ${sql.table(tableName(collection))} indexed by ${sql.ref(orderIndex(collection, 'changed_at'))}`,
  );
}
