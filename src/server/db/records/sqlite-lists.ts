import { sql, type RawBuilder } from 'kysely';
import type { Thing } from './thing.ts';
import type { Db } from '../database.ts';
import { tableName, type Stored } from './columns.ts';
import { allOf, type Sql } from './comparisons.ts';
import type { Cursor } from './cursor.ts';
import { idRows, IdSet, readIdList } from './id-sets.ts';
import { afterSql, orderSql, type Order, type OrderTerm } from './sorting.ts';

/** What lists of one thing are read with. */
interface Source {
  readonly db: Db;
  readonly thing: Thing;
  /** how many records are few: sorted by looking at each rather than by following an index */
  readonly few: number;
}

/** Where a stretch of a list begins. */
export type Start = { readonly offset: number } | { readonly after: Cursor };

/** One term of the order; the id comes last and is not among them. */
interface Level {
  readonly term: OrderTerm;
  /** `id`: the table itself is in this order; null: nothing is */
  readonly index: string | null;
}

/** The terms of the orders, each with the index that is in its order. */
function levelsOf(orders: readonly Order[]): Level[] {
  return orders.flatMap(({ terms, index }) =>
    terms.map((term, i) => ({ term, index: i === 0 ? (index ?? 'id') : null })),
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
  db: Db,
  thing: Thing,
  orders: readonly Order[],
  members: IdSet | null,
  start: Start,
  limit: number,
  few: number,
): Promise<number[]> {
  return stretch({ db, thing, few }, levelsOf(orders), members, start, limit);
}

/**
 * How many records stand before a place in a list, on SQLite, read as `readSorted` reads them.
 * @param members the ids that match; null: all
 * @param cursor of a record that is among them
 */
export function countBefore(
  db: Db,
  thing: Thing,
  orders: readonly Order[],
  members: IdSet | null,
  cursor: Cursor,
  few: number,
): Promise<number> {
  return before({ db, thing, few }, levelsOf(orders), members, cursor);
}

async function before(
  source: Source,
  levels: readonly Level[],
  members: IdSet | null,
  { places, id }: Cursor,
): Promise<number> {
  const { db, thing, few } = source;
  const [first, ...rest] = levels;
  const table = sql.table(tableName(thing));
  if (!first) {
    if (!members) return countRows(db, sql`from ${table} where _id < ${id}`);
    let count = 0;
    for (const other of members.ascending) if (other < id) count += 1;
    return count;
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
      ? sql`${expression} is not null`
      : descending
        ? sql`${expression} > ${place}`
        : sql`${expression} < ${place}`;
  const from = sql`from ${tableBy(thing, first.index)} where ${sooner}`;
  const count = members
    ? members.among(await readIdList(db, sql`select _id ${from}`)).length
    : await countRows(db, from);
  const equal = await equalTo(source, first, place, members, null);
  return count + (await before(source, rest, equal, { places: places.slice(1), id }));
}

async function stretch(
  source: Source,
  levels: readonly Level[],
  members: IdSet | null,
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
  members: IdSet | null,
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
    ...(head ? await inOrder(source, first, rest, members, head) : []),
    ...between,
    ...(tail ? await inOrder(source, first, rest, members, tail) : []),
  ];
}

/** Ids that follow each other in an index by the same value. */
interface Run {
  readonly place: Stored;
  readonly ids: number[];
}

async function equalRuns({ db, thing }: Source, level: Level, ids: number[]): Promise<Run[]> {
  const { rows } = await sql<{ id: number; place: Stored }>`
    select _id as id, ${level.term.expression} as place
    from ${idRows(Float64Array.from(ids))} as one cross join ${sql.table(tableName(thing))} on _id = one.value`.execute(
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

/** Which ids of all of the same value belong where a run of them stands. */
async function inOrder(
  source: Source,
  first: Level,
  rest: readonly Level[],
  members: IdSet | null,
  { place, ids }: Run,
): Promise<number[]> {
  const equal = await equalTo(source, first, place, members, null);
  const all = equal.ascending;
  // Following an index backwards meets equal values backwards as well; what has no value is read apart.
  const lowest = Math.min(...ids);
  const before =
    first.term.descending && place !== null
      ? all.length - all.indexOf(lowest) - ids.length
      : all.indexOf(lowest);
  return stretch(source, rest, equal, { offset: before }, ids.length);
}

/** All that have one value in a field, in the order of their ids; beyond an id where that is all that is asked for. */
async function equalTo(
  { db, thing }: Source,
  { term, index }: Level,
  place: Stored,
  members: IdSet | null,
  beyond: { readonly id: number; readonly limit: number | null } | null,
): Promise<IdSet> {
  const conditions: Sql[] = [
    place === null ? sql`${term.expression} is null` : sql`${term.expression} = ${place}`,
  ];
  if (beyond) conditions.push(sql`_id > ${beyond.id}`);
  const ids = await readIdList(
    db,
    sql`select _id from ${tableBy(thing, index)} where ${allOf(conditions)} order by _id limit ${beyond?.limit ?? -1}`,
  );
  return new IdSet(members ? members.among(ids) : ids);
}

/** Behind which value to begin. */
type Beyond = { readonly place: Stored } | null;

/** How fast the steps of a walk grow. */
const LONGER = 4;

/**
 * Follows an index, equal values in the order of their ids (of descending values: backwards); what has no value
 * comes last, in the order of the ids.
 */
async function walk(
  source: Source,
  { term, index }: Level,
  members: IdSet | null,
  beyond: Beyond,
  offset: number,
  limit: number,
): Promise<number[]> {
  const { db, thing, few } = source;
  const { expression, descending } = term;
  const table = tableBy(thing, index);
  const down = descending ? sql` desc` : sql``;
  const place = beyond?.place ?? null;
  const further = descending ? sql`${expression} < ${place}` : sql`${expression} > ${place}`;
  const filled = sql`from ${table} where ${beyond ? further : sql`${expression} is not null`}`;
  const pieces = [
    sql`select _id ${filled} order by ${expression}${down}, _id${down}`,
    sql`select _id from ${table} where ${expression} is null order by _id`,
  ];
  const ids: number[] = [];
  let skip = offset;
  if (!members) {
    for (const [i, piece] of pieces.entries()) {
      ids.push(...(await readIdList(db, sql`${piece} limit ${limit - ids.length} offset ${skip}`)));
      if (ids.length === limit || i > 0) break;
      if (skip > 0) skip = ids.length > 0 ? 0 : skip - (await countRows(db, filled));
    }
    return ids;
  }
  let left = members.size;
  for (const piece of pieces) {
    for (let at = 0, step = few; left > 0; at += step, step *= LONGER) {
      const met = await readIdList(db, sql`${piece} limit ${step} offset ${at}`);
      for (const id of met) {
        if (!members.has(id)) continue;
        left -= 1;
        if (skip > 0) skip -= 1;
        else if (ids.push(id) === limit) return ids;
      }
      if (met.length < step) break;
    }
  }
  return ids;
}

async function countRows(db: Db, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count ${from}`.execute(db.k);
  return rows[0]?.count ?? 0;
}

/** Sorts records by looking at each. */
async function sorted(
  { db, thing }: Source,
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
    select _id as id from ${idRows(ids)} as one cross join ${sql.table(tableName(thing))} on _id = one.value
    where ${after} ${orderSql(db, terms)} limit ${limit} offset ${skip}`.execute(db.k);
  return rows.map(({ id }) => id);
}

/** In the order of the ids. */
async function byId(
  { db, thing }: Source,
  members: IdSet | null,
  start: Start,
  limit: number,
): Promise<number[]> {
  if (members) {
    const ids = members.ascending;
    let from = 'offset' in start ? start.offset : 0;
    if ('after' in start) while ((ids[from] ?? Infinity) <= start.after.id) from += 1;
    return [...ids.subarray(from, from + limit)];
  }
  const table = sql.table(tableName(thing));
  const select =
    'after' in start
      ? sql`select _id from ${table} where _id > ${start.after.id} order by _id limit ${limit}`
      : sql`select _id from ${table} order by _id limit ${limit} offset ${start.offset}`;
  return [...(await readIdList(db, select))];
}

function tableBy(thing: Thing, index: string | null): RawBuilder<unknown> {
  const table = sql.table(tableName(thing));
  return index === null || index === 'id' ? table : sql`${table} indexed by ${sql.ref(index)}`;
}
