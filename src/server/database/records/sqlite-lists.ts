import { sql } from 'kysely';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName, type Stored } from './columns.ts';
import type { Cursor } from './cursor.ts';
import { idRows, type RowIdBitmap, readIdList } from './row-id-bitmap.ts';
import { afterSql, orderSql, type Order } from './sorting.ts';
import {
  countKept,
  countRows,
  equalTo,
  tableBy,
  walk,
  type Beyond,
  type Level,
  type Source,
} from './index-scan.ts';

/** Where a stretch of a list begins. */
export type Start = { readonly offset: number } | { readonly after: Cursor };

/** The terms of the orders, each with the index that is in its order. */
function levelsOf(orders: readonly Order[]): Level[] {
  return orders.flatMap(({ key: { column }, terms, index }) =>
    terms.map((term, i) => ({
      term,
      index: i === 0 ? (index ?? 'id') : null,
      name: column.kind === 'field' ? column.name : null,
    })),
  );
}

/**
 * Reads ids of a list in its order, on SQLite, which has one index for each field and none for two:
 * - Few records are sorted as they are.
 * - Of many, the index of the first field is followed, and each id asked whether it is in the set.
 * - Records of equal value in the first field stand side by side in that index. Only those that share the first
 *   or the last value of the stretch may belong elsewhere, so they are read as a list of their own, by the
 *   other fields.
 * @param members the ids that match; null: all
 * @param few how many are few
 */
export function readSorted(
  db: Transaction,
  collection: Collection,
  orders: readonly Order[],
  members: RowIdBitmap | null,
  start: Start,
  limit: number,
  few: number,
): Promise<number[]> {
  return stretch({ db, collection, few }, levelsOf(orders), members, start, limit);
}

/**
 * How many records stand before a place in a list, on SQLite, read as `readSorted` reads them.
 * @param members the ids that match; null: all
 * @param cursor of a record that is among them
 */
export function countBefore(
  db: Transaction,
  collection: Collection,
  orders: readonly Order[],
  members: RowIdBitmap | null,
  cursor: Cursor,
  few: number,
): Promise<number> {
  return before({ db, collection, few }, levelsOf(orders), members, cursor);
}

async function before(
  source: Source,
  levels: readonly Level[],
  members: RowIdBitmap | null,
  { places, id }: Cursor,
): Promise<number> {
  const { db, collection, few } = source;
  const [first, ...rest] = levels;
  const table = sql.table(tableName(collection));
  if (!first) {
    if (!members) return countRows(db, sql`from ${table} where _id < ${id}`);
    return members.countBelow(id);
  }
  if (members && (members.size <= few || first.index === null)) {
    const terms = levels.map(({ term }) => term);
    const after = await countRows(
      db,
      sql`from ${idRows(members.ascending)} as one cross join ${table} on _id = one.value
        where ${afterSql(terms, places, id)}`,
    );
    return members.size - after - 1;
  }
  const { expression, descending } = first.term;
  const place = places[0] ?? null;
  const sooner =
    place === null
      ? first.term.filled
      : descending
        ? sql`${expression} > ${place}`
        : sql`${expression} < ${place}`;
  const from = sql`from ${tableBy(collection, first.index)} where ${sooner}`;
  const count =
    (await countKept(source, first, place, members)) ??
    (members
      ? members.among(await readIdList(db, sql`select _id ${from}`)).length
      : await countRows(db, from));
  const equal = await equalTo(source, first, place, members, null);
  return count + (await before(source, rest, equal, { places: places.slice(1), id }));
}

async function stretch(
  source: Source,
  levels: readonly Level[],
  members: RowIdBitmap | null,
  start: Start,
  limit: number,
): Promise<number[]> {
  const [first, ...rest] = levels;
  if (limit <= 0 || members?.size === 0) return [];
  if (!first) return byId(source, members, start, limit);
  if (members && (members.size <= source.few || first.index === null))
    return sorted(source, levels, members.ascending, start, limit);
  if ('offset' in start) return following(source, first, rest, members, null, start.offset, limit);
  const { places, id } = start.after;
  const place = places[0] ?? null;
  const beyondId = rest.length === 0 ? { id, limit: members ? null : limit } : null;
  const equal = await equalTo(source, first, place, members, beyondId);
  const after = { places: places.slice(1), id };
  const ids = await stretch(source, rest, equal, { after }, limit);
  if (ids.length === limit || place === null) return ids;
  const beyond = { place };
  const more = await following(source, first, rest, members, beyond, 0, limit - ids.length);
  return [...ids, ...more];
}

/** Follows an index and puts what it leaves undecided among equal values in its order. */
async function following(
  source: Source,
  first: Level,
  rest: readonly Level[],
  members: RowIdBitmap | null,
  beyond: Beyond,
  offset: number,
  limit: number,
): Promise<number[]> {
  const ids = await walk(source, first, members, beyond, offset, limit);
  if (rest.length === 0 && !first.term.descending) return ids;
  const runs = await equalRuns(source, first, ids);
  const whole = runs.slice(1, -1).flatMap((run) => run.ids);
  const between = await sorted(
    source,
    [first, ...rest],
    Float64Array.from(whole),
    { offset: 0 },
    whole.length,
  );
  const head = runs[0];
  const tail = runs.length > 1 ? runs.at(-1) : undefined;
  return [
    ...(head ? await inOrder(source, first, rest, members, head, offset === 0) : []),
    ...between,
    ...(tail ? await inOrder(source, first, rest, members, tail, true) : []),
  ];
}

/** Ids that follow each other in an index by the same value. */
interface Run {
  readonly place: Stored;
  readonly ids: number[];
}

async function equalRuns({ db, collection }: Source, level: Level, ids: number[]): Promise<Run[]> {
  const { rows } = await sql<{ id: number; place: Stored }>`
    select _id as id, ${level.term.expression} as place
    from ${idRows(Float64Array.from(ids))} as one cross join ${sql.table(tableName(collection))} on _id = one.value`.execute(
    db.k,
  );
  const places = new Map(rows.map(({ id, place }) => [id, place]));
  const runs: Run[] = [];
  for (const id of ids) {
    const place = places.get(id) ?? null;
    const last = runs.at(-1);
    if (last && last.place === place) last.ids.push(id);
    else runs.push({ place, ids: [id] });
  }
  return runs;
}

/**
 * Which ids of all of the same value belong where a run of them stands.
 * @param whole whether the run begins with the first of them
 */
async function inOrder(
  source: Source,
  first: Level,
  rest: readonly Level[],
  members: RowIdBitmap | null,
  { place, ids }: Run,
  whole: boolean,
): Promise<number[]> {
  if (whole && rest.length === 0 && !members) {
    const lowest = { id: Number.MIN_SAFE_INTEGER, limit: ids.length };
    return (await equalTo(source, first, place, null, lowest)).slice(0, ids.length);
  }
  const equal = await equalTo(source, first, place, members, null);
  // Following an index backwards meets equal values backwards as well; what has no value is read apart.
  const lower = equal.countBelow(Math.min(...ids));
  const before = first.term.descending && place !== null ? equal.size - lower - ids.length : lower;
  return stretch(source, rest, equal, { offset: before }, ids.length);
}

/** Sorts records by looking at each. */
async function sorted(
  { db, collection }: Source,
  levels: readonly Level[],
  ids: Float64Array,
  start: Start,
  limit: number,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const terms = levels.map(({ term }) => term);
  const after =
    'after' in start ? afterSql(terms, start.after.places, start.after.id) : sql<boolean>`1 = 1`;
  const skip = 'offset' in start ? start.offset : 0;
  const { rows } = await sql<{ id: number }>`
    select _id as id from ${idRows(ids)} as one cross join ${sql.table(tableName(collection))} on _id = one.value
    where ${after} ${orderSql(db, terms)} limit ${limit} offset ${skip}`.execute(db.k);
  return rows.map(({ id }) => id);
}

/** In the order of the ids. */
async function byId(
  { db, collection }: Source,
  members: RowIdBitmap | null,
  start: Start,
  limit: number,
): Promise<number[]> {
  if (members) {
    const from = 'offset' in start ? start.offset : members.countBelow(start.after.id + 1);
    return members.slice(from, limit);
  }
  const table = sql.table(tableName(collection));
  const select =
    'after' in start
      ? sql`select _id from ${table} where _id > ${start.after.id} order by _id limit ${limit}`
      : sql`select _id from ${table} order by _id limit ${limit} offset ${start.offset}`;
  return [...(await readIdList(db, select))];
}
