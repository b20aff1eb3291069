import { sql } from 'kysely';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName, type Stored } from './columns.ts';
import { allOf, type Sql } from './comparisons.ts';
import type { Cursor } from './cursor.ts';
import { afterSql, orderSql, type Order, type OrderTerm } from './sorting.ts';
import type { Start } from './sqlite-lists.ts';

/**
 * The ids of a stretch of the list on PostgreSQL. Records without a value in the first sort field come last, which
 * no index has them in both directions; so they are read apart, after the others.
 */
export function idsInOrder(
  db: Transaction,
  collection: Collection,
  filter: readonly Sql[],
  orders: readonly Order[],
  start: Start,
  limit: number,
): Promise<number[]> {
  const terms = orders.flatMap((order) => order.terms);
  const [first] = terms;
  // No index has falling values with their ids rising, nor several fields.
  const served = first && !first.descending && terms.length === 1;
  const how = filter.length > 0 || served ? 'by statement' : 'by groups';
  return readInOrder({ db, collection, filter }, terms, start, limit, how);
}

interface Rows {
  readonly db: Transaction;
  readonly collection: Collection;
  readonly filter: readonly Sql[];
}

async function readInOrder(
  rows: Rows,
  terms: readonly OrderTerm[],
  start: Start,
  limit: number,
  how: 'by statement' | 'by groups' = 'by statement',
): Promise<number[]> {
  const [first, ...rest] = terms;
  if (!first?.nullable) return readStretch(rows, terms, start, limit);

  const ids: number[] = [];
  const filled = narrowed(rows, sql<boolean>`${first.expression} is not null`);
  const place = 'after' in start ? (start.after.places[0] ?? null) : null;
  if ('offset' in start || place !== null) {
    const notNull = { ...first, nullable: false };
    const read = how === 'by groups' ? readGroups : readStretch;
    ids.push(...(await read(filled, [notNull, ...rest], start, limit)));
    if (ids.length >= limit) return ids;
  }
  const without = narrowed(rows, sql<boolean>`${first.expression} is null`);
  let from = START;
  if ('after' in start && place === null) from = behind(start.after);
  if ('offset' in start && start.offset > 0 && ids.length === 0) {
    from = { offset: Math.max(0, start.offset - (await count(filled))) };
  }
  ids.push(...(await readInOrder(without, rest, from, limit - ids.length)));
  return ids;
}

/** Reads by a statement in the whole order. */
async function readStretch(
  rows: Rows,
  terms: readonly OrderTerm[],
  start: Start,
  limit: number,
): Promise<number[]> {
  if ('offset' in start) return select(rows, terms, limit, start.offset);
  const { places, id } = start.after;
  const after = afterSql(terms, places, id);
  const [first] = terms;
  const place = places[0] ?? null;
  if (!first || first.nullable || place === null)
    return select(narrowed(rows, after), terms, limit);
  // Says again what `after` implies, in a form that an index can start from.
  const from = first.descending
    ? sql<boolean>`${first.expression} <= ${place}`
    : sql<boolean>`${first.expression} >= ${place}`;
  return select(narrowed(rows, from, after), terms, limit);
}

/**
 * Reads the records of one value of the first term after those of another. An index has the values in their order, so that
 * nothing is sorted on the way to an offset, and no more than is shown there; how best to find the first of the many
 * records of one value, PostgreSQL weighs for each.
 */
async function readGroups(
  rows: Rows,
  terms: readonly [OrderTerm, ...OrderTerm[]],
  start: Start,
  limit: number,
): Promise<number[]> {
  const [first, ...rest] = terms;
  const group = (place: Stored, from: Start, most: number) =>
    readInOrder(narrowed(rows, sql<boolean>`${first.expression} = ${place}`), rest, from, most);

  const begun = await begunGroup(rows, first, start);
  if (!begun) return [];
  let last = begun.place;
  const ids = last === null ? [] : await group(last, begun.from, limit);
  while (ids.length < limit) {
    const missing = limit - ids.length;
    const later = last === null ? rows : narrowed(rows, compared(first, 'behind', last));
    const places = await nextPlaces(later, first, missing, 0);
    last = places.at(-1)?.place ?? null;
    if (last === null) break;
    // Fewer than are missing; of the last value there may be many.
    if (places[0]?.place !== last) {
      ids.push(...(await select(narrowed(later, compared(first, 'before', last)), terms, missing)));
    }
    ids.push(...(await group(last, START, limit - ids.length)));
  }
  return ids;
}

/**
 * The value in the midst of whose records a stretch begins, and where among them; of the list's very beginning null.
 * @returns undefined where the list does not reach so far
 */
async function begunGroup(
  rows: Rows,
  first: OrderTerm,
  start: Start,
): Promise<{ readonly place: Stored; readonly from: Start } | undefined> {
  if ('after' in start) return { place: start.after.places[0] ?? null, from: behind(start.after) };
  if (start.offset === 0) return { place: null, from: START };
  const [reached] = await nextPlaces(rows, first, 1, start.offset);
  if (!reached) return undefined;
  const passed = first.descending
    ? sql<boolean>`_id > ${reached.id}`
    : sql<boolean>`_id < ${reached.id}`;
  const same = sql<boolean>`${first.expression} = ${reached.place}`;
  return { place: reached.place, from: { offset: await count(narrowed(rows, same, passed)) } };
}

const START: Start = { offset: 0 };

/** The same place among the records that have the same in the first term. */
function behind({ places, id }: Cursor): Start {
  return { after: { places: places.slice(1), id } };
}

function compared(
  { expression, descending }: OrderTerm,
  to: 'before' | 'behind',
  place: Stored,
): Sql {
  return descending === (to === 'before')
    ? sql`${expression} > ${place}`
    : sql`${expression} < ${place}`;
}

function narrowed(rows: Rows, ...further: readonly Sql[]): Rows {
  return { ...rows, filter: [...rows.filter, ...further] };
}

/** The values of a term in their order, each as often as records have it, as an index in this order has them. */
async function nextPlaces(
  { db, collection, filter }: Rows,
  { expression, descending }: OrderTerm,
  limit: number,
  offset: number,
): Promise<{ place: Stored; id: number }[]> {
  const direction = descending ? sql`desc` : sql`asc`;
  const { rows } = await sql<{ place: Stored; id: number }>`
    select ${expression} as place, _id as id from ${sql.table(tableName(collection))} where ${allOf(filter)}
    order by ${expression} ${direction}, _id ${direction} limit ${limit} offset ${offset}`.execute(
    db.k,
  );
  return rows;
}

async function select(
  { db, collection, filter }: Rows,
  terms: readonly OrderTerm[],
  limit: number,
  offset = 0,
): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`select _id as id from ${sql.table(tableName(collection))}
    where ${allOf(filter)} ${orderSql(db, terms)} limit ${limit} offset ${offset}`.execute(db.k);
  return rows.map(({ id }) => id);
}

async function count({ db, collection, filter }: Rows): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(tableName(collection))} where ${allOf(filter)}`.execute(
    db.k,
  );
  return rows[0]?.count ?? 0;
}
