import { sql, type RawBuilder } from 'kysely';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName, type Stored } from './columns.ts';
import { allOf } from './comparisons.ts';
import { RowIdBitmap, readIdList } from './row-id-bitmap.ts';
import type { SortOrderCache } from './sort-order-cache.ts';
import type { OrderTerm } from './sorting.ts';

/** what lists of one collection are read with. */
export interface Source {
  readonly db: Transaction;
  readonly collection: Collection;
  /** how many records are few: sorted by looking at each rather than by following an index */
  readonly few: number;
}

/** One term of the order; the id comes last and is not among them. */
export interface Level {
  readonly term: OrderTerm;
  /** `id`: the table itself is in this order; null: nothing is */
  readonly index: string | null;
  /** of the field; null: each change of a record changes it */
  readonly name: string | null;
}

/** Behind which value to begin. */
export type Beyond = { readonly place: Stored } | null;

/** How fast the steps of a walk grow. */
const LONGER = 4;

/** An index of which so many times few entries are followed is worth keeping, and as large a set of equal values. */
const WORTH_KEEPING = 15;

/**
 * Follows an index, equal values in the order of their ids (of descending values: backwards); what has no value
 * comes last, in the order of the ids.
 */
export async function walk(
  source: Source,
  level: Level,
  members: RowIdBitmap | null,
  beyond: Beyond,
  offset: number,
  limit: number,
): Promise<number[]> {
  const { db, collection, few } = source;
  const { expression, descending, filled } = level.term;
  const table = tableBy(collection, level.index);
  const down = descending ? sql` desc` : sql``;
  const place = beyond?.place ?? null;
  // Of two lower bounds the database may begin at the wrong one.
  const further = descending
    ? allOf([filled, sql`${expression} < ${place}`])
    : sql<boolean>`${expression} > ${place}`;
  const inOrder = sql`select _id from ${table} where ${beyond ? further : filled}
    order by ${expression}${down}, _id${down}`;
  const kept = level.index === 'id' ? null : ((await db.kept?.of(db, collection)) ?? null);
  if (kept) {
    const by = { index: level.index ?? '', expression, filled, name: level.name };
    const order =
      offset > few * WORTH_KEEPING
        ? await kept.order(db, collection, by)
        : members && (await kept.knownOrder(db, collection, by));
    if (order) return walkKept(source, level, order, members, beyond && inOrder, offset, limit);
  }
  const pieces = [inOrder, sql`select _id from ${table} where ${expression} is null order by _id`];
  const ids: number[] = [];
  let skip = offset;
  if (!members) {
    for (const [i, piece] of pieces.entries()) {
      ids.push(...(await readIdList(db, sql`${piece} limit ${limit - ids.length} offset ${skip}`)));
      if (ids.length === limit || i > 0) break;
      if (skip > 0)
        skip = ids.length > 0 ? 0 : skip - (await countRows(db, sql`from (${inOrder})`));
    }
    return ids;
  }
  let left = members.size;
  for (const piece of pieces) {
    for (let at = 0, step = few; left > 0; at += step, step *= LONGER) {
      if (at > few * WORTH_KEEPING && kept) {
        const by = { index: level.index ?? '', expression, filled, name: level.name };
        const order = await kept.order(db, collection, by);
        if (order) return walkKept(source, level, order, members, beyond && inOrder, offset, limit);
      }
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

/**
 * The same by an order that is kept.
 * @param inOrder selects what comes behind the value to begin behind; null: begin at the start
 */
async function walkKept(
  source: Source,
  level: Level,
  order: SortOrderCache,
  members: RowIdBitmap | null,
  inOrder: RawBuilder<unknown> | null,
  offset: number,
  limit: number,
): Promise<number[]> {
  const { descending } = level.term;
  let from = descending ? order.size - 1 : 0;
  if (inOrder) {
    const [first] = await readIdList(source.db, sql`${inOrder} limit 1`);
    const none = descending ? -1 : order.size;
    from = first === undefined ? none : order.indexOf(first);
  }
  const { ids, skip } = order.walk(members, from, descending, offset, limit);
  if (ids.length === limit) return ids;
  const none = await equalTo(source, level, null, members, null);
  return [...ids, ...none.slice(skip, limit - ids.length)];
}

/**
 * How many records stand before those of a value, by an order that is kept; null where none is.
 * @param place null: what has no value
 */
export async function countKept(
  { db, collection }: Source,
  { term, index, name }: Level,
  place: Stored,
  members: RowIdBitmap | null,
): Promise<number | null> {
  if (index === null || index === 'id') return null;
  const { expression, descending, filled } = term;
  const kept = await db.kept?.of(db, collection);
  const order = await kept?.order(db, collection, { index, expression, filled, name });
  if (!order) return null;
  if (place === null) return order.count(members, 0, order.size);
  const down = descending ? sql` desc` : sql``;
  const [first] = await readIdList(
    db,
    sql`select _id from ${tableBy(collection, index)} where ${expression} = ${place} order by _id${down} limit 1`,
  );
  const at = first === undefined ? -1 : order.indexOf(first);
  if (at < 0) return null;
  return descending ? order.count(members, at + 1, order.size) : order.count(members, 0, at);
}

export async function countRows(db: Transaction, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count ${from}`.execute(db.k);
  return rows[0]?.count ?? 0;
}

/** All that have one value in a field, in the order of their ids; beyond an id where that is all that is asked for. */
export async function equalTo(
  { db, collection, few }: Source,
  { term, index, name }: Level,
  place: Stored,
  members: RowIdBitmap | null,
  beyond: { readonly id: number; readonly limit: number | null } | null,
): Promise<RowIdBitmap> {
  const equal =
    place === null
      ? sql<boolean>`${term.expression} is null`
      : sql<boolean>`${term.expression} = ${place}`;
  const of = { key: JSON.stringify([index, 'equal', place]), test: equal, name };
  const kept =
    index === null || index === 'id' ? null : ((await db.kept?.of(db, collection)) ?? null);
  const known = await kept?.known(db, collection, of);
  if (known) return members ? members.meet(known) : known;
  const conditions = beyond ? [equal, sql<boolean>`_id > ${beyond.id}`] : [equal];
  const ids = await readIdList(
    db,
    sql`select _id from ${tableBy(collection, index)} where ${allOf(conditions)} order by _id limit ${beyond?.limit ?? -1}`,
  );
  if (!kept || beyond || ids.length < few * WORTH_KEEPING)
    return new RowIdBitmap(members ? members.among(ids) : ids);
  const all = new RowIdBitmap(ids);
  kept.keep(of, all);
  return members ? members.meet(all) : all;
}

export function tableBy(collection: Collection, index: string | null): RawBuilder<unknown> {
  const table = sql.table(tableName(collection));
  return index === null || index === 'id' ? table : sql`${table} indexed by ${sql.ref(index)}`;
}
