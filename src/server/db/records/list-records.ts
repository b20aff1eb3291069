import { sql, type RawBuilder } from 'kysely';
import type { ListFilter, ListQuery } from '#shared/lists.ts';
import type { Scalar } from '#shared/values.ts';
import type { Thing } from './thing.ts';
import type { Db } from '../database.ts';
import { tableName, type Stored } from './columns.ts';
import {
  allOf,
  conditionsBySets,
  conditionsOf,
  filtered,
  filterOf,
  MANY,
  type Filter,
  type Sql,
} from './conditions.ts';
import { readCursor, writeCursor, type Cursor } from './cursor.ts';
import { readRecord, readRecords } from './read-records.ts';
import type { StoredRecord } from './record.ts';
import { isLongKey } from './sort-key.ts';
import { afterSql, orderOf, orderSql, type Order, type OrderTerm } from './sorting.ts';

export interface Page {
  readonly records: readonly StoredRecord[];
  /** for `after`; null on the last page */
  readonly next: string | null;
}

/** Beyond this many matches a page says how many there are at least; `count` counts on. */
const MAX_COUNTED = 250_000;

/**
 * Reads one page of a list.
 * @param matching how many records match the filter, as far as that is known
 * @returns undefined where `after` was not made for this sort and filter
 */
export async function readPage(
  db: Db,
  thing: Thing,
  query: ListQuery,
  matching: number,
): Promise<Page | undefined> {
  const orders = await orderOf(db, thing, query.sort);
  const cursor = query.after === null ? null : readCursor(db, query, query.after);
  if (cursor === undefined || (cursor && cursor.places.length !== orders.length)) return undefined;

  const filter = await filterOf(db, thing, query);
  const position = cursor && (await placesInOrder(db, thing, orders, cursor));
  const { from, conditions } = planOf(db, thing, filter, orders, matching);
  // One more than asked for tells whether there is a next page.
  const ids = await idsInOrder(
    db,
    from,
    conditions,
    orders,
    position,
    query.limit + 1,
    query.offset,
  );
  const shown = ids.slice(0, query.limit);
  const found = await readRecords(db, thing, shown);
  const records = shown.flatMap((id) => found.get(id) ?? []);
  const last = records.at(-1);
  return {
    records,
    next:
      ids.length > query.limit && last ? writeCursor(query, positionOf(thing, orders, last)) : null,
  };
}

/**
 * Where to read from. PostgreSQL weighs that by its statistics; SQLite has to be told where many records match:
 * then following the index of the order and asking whether a record is among those that match beats sorting
 * them, and a search alone needs no look at the records at all.
 */
function planOf(
  db: Db,
  thing: Thing,
  filter: Filter,
  orders: readonly Order[],
  matching: number,
): { from: RawBuilder<unknown>; conditions: readonly Sql[] } {
  const table = sql.table(tableName(thing));
  const index = orders[0]?.index ?? null;
  if (db.dialect === 'sqlite' && matching > MANY && conditionsOf(filter).length > 0) {
    if (index !== null) {
      return {
        from: sql`${table} indexed by ${sql.ref(index)}`,
        conditions: conditionsBySets(thing, filter),
      };
    }
    const [only] = filter.sets;
    if (orders.length === 0 && only && conditionsOf(filter).length === 1) {
      return { from: only, conditions: [] };
    }
  }
  return { from: table, conditions: conditionsOf(filter) };
}

/** Ids and versions of all that match, in the list's order. */
export async function readIds(
  db: Db,
  thing: Thing,
  query: ListQuery,
  limit: number,
): Promise<{ id: number; version: number }[]> {
  const terms = (await orderOf(db, thing, query.sort)).flatMap((order) => order.terms);
  const { rows } = await sql<{ id: number; version: number }>`
    select _id as id, _version as version from ${sql.table(tableName(thing))}
    where ${allOf(conditionsOf(await filterOf(db, thing, query)))} ${orderSql(db, terms)} limit ${limit}`.execute(
    db.k,
  );
  return rows;
}

/** How many records match, exactly. */
export async function countRecords(db: Db, thing: Thing, filter: ListFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${filtered(thing, await filterOf(db, thing, filter))}`.execute(
    db.k,
  );
  return rows[0]?.count ?? 0;
}

/** How many records match, as far as counting may go while somebody waits for a page. */
export async function countForPage(
  db: Db,
  thing: Thing,
  filter: ListFilter,
): Promise<{ total: number } | { total: null; atLeast: number }> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from ${filtered(thing, await filterOf(db, thing, filter))} limit ${MAX_COUNTED + 1}) as counted`.execute(
    db.k,
  );
  const count = rows[0]?.count ?? 0;
  return count <= MAX_COUNTED ? { total: count } : { total: null, atLeast: MAX_COUNTED };
}

/**
 * The ids of a stretch of the list. Records without a value in the first sort field come last, which no index
 * has them in both directions; so they are read apart, after the others.
 */
async function idsInOrder(
  db: Db,
  table: RawBuilder<unknown>,
  filter: readonly Sql[],
  orders: readonly Order[],
  cursor: Cursor | null,
  limit: number,
  offset: number,
): Promise<number[]> {
  const terms = orders.flatMap((order) => order.terms);
  const select = async (
    conditions: readonly Sql[],
    by: readonly OrderTerm[],
    count: number,
    skip: number,
  ) => {
    const { rows } = await sql<{ id: number }>`select _id as id from ${table}
      where ${allOf(conditions)} ${orderSql(db, by)} limit ${count} offset ${skip}`.execute(db.k);
    return rows.map(({ id }) => id);
  };
  const after = cursor ? [afterSql(terms, cursor.places, cursor.id)] : [];
  const [first, ...others] = terms;
  if (!first?.nullable) return select([...filter, ...after], terms, limit, offset);

  const withValue = [...filter, sql<boolean>`${first.expression} is not null`];
  const place = cursor?.places[0] ?? null;
  const ids: number[] = [];
  if (!cursor || place !== null) {
    // Says again what `after` implies, in a form that an index can start from.
    const from = cursor
      ? [
          first.descending
            ? sql<boolean>`${first.expression} <= ${place}`
            : sql<boolean>`${first.expression} >= ${place}`,
        ]
      : [];
    const notNull = [{ ...first, nullable: false }, ...others];
    ids.push(...(await select([...withValue, ...from, ...after], notNull, limit, offset)));
    if (ids.length >= limit) return ids;
  }
  let skip = 0;
  if (offset > 0 && ids.length === 0) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${table} where ${allOf(withValue)}`.execute(db.k);
    skip = Math.max(0, offset - (rows[0]?.count ?? 0));
  }
  const without = [...filter, sql<boolean>`${first.expression} is null`];
  const afterWithout = cursor && place === null ? after : [];
  const rest = orders.slice(1).flatMap((order) => order.terms);
  ids.push(...(await select([...without, ...afterWithout], rest, limit - ids.length, skip)));
  return ids;
}

function positionOf(thing: Thing, orders: readonly Order[], record: StoredRecord): Cursor {
  return {
    id: record.id,
    places: orders.map(
      ({ key, terms }) => terms[0]?.place(valueOf(thing, record, key.column.name)) ?? null,
    ),
  };
}

/**
 * A cursor holds one place for each sort key. Where that is the cut key of a long text, the places in the
 * other terms are those of the text that the record has now; a record that is gone leaves its cut key, so that
 * records may come twice but none is passed over.
 */
async function placesInOrder(
  db: Db,
  thing: Thing,
  orders: readonly Order[],
  cursor: Cursor,
): Promise<Cursor> {
  const places: Stored[] = [];
  for (const [i, { key, terms }] of orders.entries()) {
    const place = cursor.places[i] ?? null;
    places.push(place);
    if (terms.length === 1) continue;
    const long = typeof place === 'string' && isLongKey(place);
    const record = long ? await readRecord(db, thing, cursor.id) : undefined;
    const value = record ? valueOf(thing, record, key.column.name) : '';
    places.push(...terms.slice(1).map((term) => term.place(value)));
  }
  return { id: cursor.id, places };
}

function valueOf(thing: Thing, record: StoredRecord, name: string): Scalar {
  const at = thing.fields.findIndex((field) => field.name === name);
  if (at >= 0) return record.values[at] ?? null;
  if (name === 'changedAt') return new Date(record.changedAt).toISOString();
  return name === 'changedBy' ? record.changedBy : record.id;
}
