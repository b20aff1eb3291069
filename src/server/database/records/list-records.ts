import { sql } from 'kysely';
import type { ListFilter, ListQuery } from '#shared/lists.ts';
import type { Scalar } from '#shared/values.ts';
import { indexOfName } from '#shared/names.ts';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName, type Stored } from './columns.ts';
import { allOf, type Sql } from './comparisons.ts';
import { SMALL_SET_LIMIT, filterOf, testsOf, type Filter } from './conditions.ts';
import { readCursor, writeCursor, type Cursor } from './cursor.ts';
import { idRows } from './row-id-bitmap.ts';
import { allRecords, firstMatching, matchingIds } from './matching.ts';
import { idsInOrder } from './postgres-lists.ts';
import { readCount } from './record-counts.ts';
import { readRecord, readRecords } from './read-records.ts';
import type { StoredRecord } from './record.ts';
import { isLongKey } from './sort-key.ts';
import { orderOf, orderSql, type Order } from './sorting.ts';
import { readSorted, type Start } from './sqlite-lists.ts';

export interface Page {
  readonly records: readonly StoredRecord[];
  /** null where the query does not ask for the total */
  readonly count: Count | null;
  /** for `after`; null on the last page */
  readonly next: string | null;
}

/** How many records match, as far as counting may go while somebody waits for a page. */
type Count = { readonly total: number } | { readonly total: null; readonly atLeast: number };

/** Beyond this many matches a page says how many there are at least; `count` counts on. */
const MAX_COUNTED = 250_000;

/**
 * PostgreSQL looks into each record that a filter finds, which may take 3 ms for a thousand: it counts as far as the
 * time for the stretch before promises to stay within `COUNTING_TIME`, in milliseconds.
 */
const COUNTED_AT_A_TIME = [10_000, 50_000, MAX_COUNTED];
const COUNTING_TIME = 100;

/**
 * Reads one page of a list.
 * @param few for tests: how many records SQLite takes for few
 * @returns undefined where `after` was not made for this sort and filter
 */
export async function readPage(
  db: Transaction,
  collection: Collection,
  query: ListQuery,
  few = SMALL_SET_LIMIT,
): Promise<Page | undefined> {
  const orders = await orderOf(db, collection, query.sort);
  const cursor = query.after === null ? null : readCursor(db, query, query.after);
  if (cursor === undefined || (cursor && cursor.places.length !== orders.length)) return undefined;

  const filter = await filterOf(db, collection, query, few);
  const position = cursor && (await placesInOrder(db, collection, orders, cursor));
  const start = position ? { after: position } : { offset: query.offset };
  // One more than asked for tells whether there is a next page.
  const limit = query.limit + 1;
  const read = db.dialect === 'sqlite' ? readBySets : readByPlanner;
  const { ids, count } = await read(db, collection, filter, orders, start, limit, query.total, few);
  const shown = ids.slice(0, query.limit);
  const found = await readRecords(db, collection, shown);
  const records = shown.flatMap((id) => found.get(id) ?? []);
  const last = records.at(-1);
  const more = ids.length > query.limit && last;
  return {
    records,
    count,
    next: more ? writeCursor(query, positionOf(collection, orders, last)) : null,
  };
}

interface Slice {
  readonly ids: readonly number[];
  readonly count: Count | null;
}

/** SQLite knows too little of how many records match what; here all that match are found first. */
async function readBySets(
  db: Transaction,
  collection: Collection,
  filter: Filter,
  orders: readonly Order[],
  start: Start,
  limit: number,
  withTotal: boolean,
  few: number,
): Promise<Slice> {
  if ('offset' in start && orders.length === 0) {
    const most = withTotal ? MAX_COUNTED : null;
    const first = await firstMatching(db, collection, filter, start.offset, limit, most);
    if (first) return { ids: first.ids, count: countFor(first.count) };
  }
  const members = await matchingIds(db, collection, filter, few);
  const total = members?.size ?? (withTotal ? await countAll(db, collection, []) : null);
  const past = 'offset' in start && total !== null && start.offset >= total;
  const ids = past ? [] : await readSorted(db, collection, orders, members, start, limit, few);
  return { ids, count: withTotal ? countFor(total) : null };
}

/** PostgreSQL weighs by its statistics how to read a filter in an order. */
async function readByPlanner(
  db: Transaction,
  collection: Collection,
  filter: Filter,
  orders: readonly Order[],
  start: Start,
  limit: number,
  withTotal: boolean,
): Promise<Slice> {
  const tests = testsOf(filter);
  return {
    ids: await idsInOrder(db, collection, tests, orders, start, limit),
    count: withTotal ? await countWhileShort(db, collection, tests) : null,
  };
}

async function countWhileShort(
  db: Transaction,
  collection: Collection,
  tests: ReturnType<typeof testsOf>,
): Promise<Count> {
  if (tests.length === 0) return { total: await countAll(db, collection, tests) };
  let atLeast = 0;
  for (const [step, most] of COUNTED_AT_A_TIME.entries()) {
    const begun = performance.now();
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (
        select 1 from ${sql.table(tableName(collection))} where ${allOf(tests)} limit ${most + 1}) as counted`.execute(
      db.k,
    );
    const count = rows[0]?.count ?? 0;
    if (count <= most) return { total: count };
    atLeast = most;
    const times = (COUNTED_AT_A_TIME[step + 1] ?? most) / most;
    if ((performance.now() - begun) * times > COUNTING_TIME) break;
  }
  return { total: null, atLeast };
}

function countFor(matching: number | null): Count | null {
  if (matching === null) return null;
  return matching <= MAX_COUNTED ? { total: matching } : { total: null, atLeast: MAX_COUNTED };
}

/** Ids and versions of all that match, in the list's order, after passing over `offset` of them. */
export async function readIds(
  db: Transaction,
  collection: Collection,
  query: ListQuery,
  limit: number,
  offset = 0,
): Promise<{ id: number; version: number }[]> {
  const terms = (await orderOf(db, collection, query.sort)).flatMap((order) => order.terms);
  const filter = await filterOf(db, collection, query);
  const table = sql.table(tableName(collection));
  const members =
    db.dialect === 'sqlite' ? await matchingIds(db, collection, filter, SMALL_SET_LIMIT) : null;
  const from = members
    ? sql`${idRows(members.ascending)} as one cross join ${table} on _id = one.value`
    : sql`${table} where ${allOf(testsOf(filter))}`;
  const { rows } = await sql<{ id: number; version: number }>`
    select _id as id, _version as version from ${from} ${orderSql(db, terms)}
    limit ${limit} offset ${offset}`.execute(db.k);
  return rows;
}

/** How many records match, exactly. */
export async function countRecords(
  db: Transaction,
  collection: Collection,
  query: ListFilter,
): Promise<number> {
  const filter = await filterOf(db, collection, query);
  const members =
    db.dialect === 'sqlite' ? await matchingIds(db, collection, filter, SMALL_SET_LIMIT) : null;
  return members ? members.size : countAll(db, collection, testsOf(filter));
}

async function countAll(
  db: Transaction,
  collection: Collection,
  tests: readonly Sql[],
): Promise<number> {
  if (tests.length === 0 && db.dialect === 'postgres') return readCount(db, collection);
  if (tests.length === 0 && db.kept) return (await allRecords(db, collection)).size;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(tableName(collection))}
    ${tests.length > 0 ? sql`where ${allOf(tests)}` : sql``}`.execute(db.k);
  return rows[0]?.count ?? 0;
}

/** The places of a record in all terms of an order. */
export function placesOf(
  db: Transaction,
  collection: Collection,
  orders: readonly Order[],
  record: StoredRecord,
): Promise<Cursor> {
  return placesInOrder(db, collection, orders, positionOf(collection, orders, record));
}

function positionOf(
  collection: Collection,
  orders: readonly Order[],
  record: StoredRecord,
): Cursor {
  return {
    id: record.id,
    places: orders.map(
      ({ key, terms }) => terms[0]?.place(valueOf(collection, record, key.column.name)) ?? null,
    ),
  };
}

/**
 * A cursor holds one place for each sort key. Where that is the cut key of a long text, the places in the
 * other terms are those of the text that the record has now; a record that is gone leaves its cut key, so that
 * records may come twice but none is passed over.
 */
async function placesInOrder(
  db: Transaction,
  collection: Collection,
  orders: readonly Order[],
  cursor: Cursor,
): Promise<Cursor> {
  const places: Stored[] = [];
  for (const [i, { key, terms }] of orders.entries()) {
    const place = cursor.places[i] ?? null;
    places.push(place);
    if (terms.length === 1) continue;
    const long = typeof place === 'string' && isLongKey(place);
    const record = long ? await readRecord(db, collection, cursor.id) : undefined;
    const value = record ? valueOf(collection, record, key.column.name) : '';
    places.push(...terms.slice(1).map((term) => term.place(value)));
  }
  return { id: cursor.id, places };
}

function valueOf(collection: Collection, record: StoredRecord, name: string): Scalar {
  const at = indexOfName(collection.fields, name);
  if (at >= 0) return record.values[at] ?? null;
  if (name === 'changedAt') return new Date(record.changedAt).toISOString();
  return name === 'changedBy' ? record.changedBy : record.id;
}
