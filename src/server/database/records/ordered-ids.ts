import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../database.ts';
import type { Stored } from './columns.ts';
import { allOf, type Sql } from './comparisons.ts';
import { countRows } from './count-rows.ts';
import type { Cursor, Start } from './cursor.ts';
import { afterSql, orderSql, type OrderTerm } from './sorting.ts';

/** A record with its value in the first term of an order. */
export interface ValueEntry {
  readonly id: number;
  readonly place: Stored;
}

/**
 * The records of a list by their values in the first sort term. An index has these values in order, but not the other
 * terms, nor ascending ids for descending values.
 */
export interface ValueOrder {
  /** The records that have a value, ordered by it; records with equal values in index order. */
  entries(from: { offset: number } | { after: Stored }, limit: number): Promise<ValueEntry[]>;
  /** How many records of equal value come before an entry in the order of `entries`. */
  countEqualBefore(entry: ValueEntry, offset: number): Promise<number>;
  /** The number of records that have a value. */
  count(): Promise<number>;
  /** Reads ids of the records with one value, or without a value (null), in list order. */
  group(place: Stored, start: Start, limit: number): Promise<number[]>;
  /** Sorts some ids of the list by all its terms. */
  sort(ids: readonly number[]): Promise<number[]>;
}

const LIST_START: Start = { offset: 0 };

/**
 * Reads ids of a list value by value. Only the first and the last value of a page can have records that are not on the
 * page, so only their records must be sorted completely. Records without a value come last.
 */
export async function readByValue(
  order: ValueOrder,
  start: Start,
  limit: number,
): Promise<number[]> {
  const ids: number[] = [];
  const addGroup = async (place: Stored, from: Start) => {
    if (ids.length < limit) ids.push(...(await order.group(place, from, limit - ids.length)));
  };
  let last: Stored = null;
  if ('after' in start) {
    last = start.after.places[0] ?? null;
    await addGroup(last, { after: positionInGroup(start.after) });
    if (last === null) return ids;
  } else if (start.offset > 0) {
    const [entry] = await order.entries({ offset: start.offset }, 1);
    if (!entry) {
      await addGroup(null, { offset: start.offset - (await order.count()) });
      return ids;
    }
    last = entry.place;
    await addGroup(last, { offset: await order.countEqualBefore(entry, start.offset) });
  }
  while (ids.length < limit) {
    const from = last === null ? { offset: 0 } : { after: last };
    const entries = await order.entries(from, limit - ids.length);
    last = entries.at(-1)?.place ?? null;
    if (last === null) {
      await addGroup(null, LIST_START);
      break;
    }
    const complete = entries.flatMap(({ id, place }) => (place === last ? [] : [id]));
    if (complete.length > 0) ids.push(...(await order.sort(complete)));
    await addGroup(last, LIST_START);
  }
  return ids;
}

/** Records of an archive or table that are read with plain SQL. */
export interface Rows {
  readonly db: Transaction;
  /** the table, with an index hint if the planner needs one */
  readonly from: RawBuilder<unknown>;
  readonly filter: readonly Sql[];
}

/**
 * Reads ids of a list with one statement in its order, and those without a value in the first term, which come last,
 * with another.
 */
export async function readByStatement(
  rows: Rows,
  terms: readonly OrderTerm[],
  start: Start,
  limit: number,
): Promise<number[]> {
  const [first, ...rest] = terms;
  if (!first?.nullable) return readSlice(rows, terms, start, limit);
  const ids: number[] = [];
  const filled = narrowed(rows, first.filled);
  const place = 'after' in start ? (start.after.places[0] ?? null) : null;
  if ('offset' in start || place !== null) {
    const some = 'offset' in start ? filled : rows;
    ids.push(...(await readSlice(some, [{ ...first, nullable: false }, ...rest], start, limit)));
    if (ids.length >= limit) return ids;
  }
  let from = LIST_START;
  if ('after' in start && place === null) from = { after: positionInGroup(start.after) };
  if ('offset' in start && start.offset > 0 && ids.length === 0) {
    from = { offset: Math.max(0, start.offset - (await countFiltered(filled))) };
  }
  const without = narrowed(rows, sql<boolean>`${first.expression} is null`);
  return [...ids, ...(await readByStatement(without, rest, from, limit - ids.length))];
}

async function readSlice(
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
  // Repeats what `after` implies, in a form that lets an index scan start there.
  const from = first.descending
    ? sql<boolean>`${first.expression} <= ${place}`
    : sql<boolean>`${first.expression} >= ${place}`;
  return select(narrowed(rows, from, after), terms, limit);
}

/** The values of the first term in index order, read with plain SQL. */
export class IndexOrder implements ValueOrder {
  readonly #rows: Rows;
  readonly #table: RawBuilder<unknown>;
  readonly #first: OrderTerm;
  readonly #rest: readonly OrderTerm[];
  readonly group: ValueOrder['group'];

  /**
   * @param table the same table, without an index hint
   * @param group reads the records of one value; with one statement if it is missing
   */
  constructor(
    rows: Rows,
    table: RawBuilder<unknown>,
    first: OrderTerm,
    rest: readonly OrderTerm[],
    group?: ValueOrder['group'],
  ) {
    this.#rows = rows;
    this.#table = table;
    this.#first = first;
    this.#rest = rest;
    this.group =
      group ??
      ((place, start, limit) => {
        const { expression } = first;
        const equal =
          place === null
            ? sql<boolean>`${expression} is null`
            : sql<boolean>`${expression} = ${place}`;
        return readByStatement(narrowed(rows, equal), rest, start, limit);
      });
  }

  async entries(
    from: { offset: number } | { after: Stored },
    limit: number,
  ): Promise<ValueEntry[]> {
    const { expression, descending } = this.#first;
    const direction = descending ? sql`desc` : sql`asc`;
    const {
      db,
      from: table,
      filter,
    } = 'after' in from
      ? narrowed(
          this.#rows,
          descending ? sql`${expression} < ${from.after}` : sql`${expression} > ${from.after}`,
        )
      : this.#filled();
    const offset = 'after' in from ? 0 : from.offset;
    const { rows } = await sql<ValueEntry>`
      select ${expression} as place, _id as id from ${table} where ${allOf(filter)}
      order by ${expression} ${direction}, _id ${direction} limit ${limit} offset ${offset}`.execute(
      db.k,
    );
    return rows;
  }

  countEqualBefore({ id, place }: ValueEntry): Promise<number> {
    const { expression, descending } = this.#first;
    const before = descending ? sql<boolean>`_id > ${id}` : sql<boolean>`_id < ${id}`;
    return countFiltered(narrowed(this.#rows, sql`${expression} = ${place}`, before));
  }

  count(): Promise<number> {
    return countFiltered(this.#filled());
  }

  sort(ids: readonly number[]): Promise<number[]> {
    const those = sql<boolean>`_id in (${sql.join(ids)})`;
    const rows = { ...this.#rows, from: this.#table, filter: [those] };
    return select(rows, [this.#first, ...this.#rest], ids.length);
  }

  #filled(): Rows {
    return narrowed(this.#rows, this.#first.filled);
  }
}

/** A position among the records with the same value in the first term. */
function positionInGroup({ places, id }: Cursor): Cursor {
  return { places: places.slice(1), id };
}

function narrowed(rows: Rows, ...further: readonly Sql[]): Rows {
  return { ...rows, filter: [...rows.filter, ...further] };
}

async function select(
  { db, from, filter }: Rows,
  terms: readonly OrderTerm[],
  limit: number,
  offset = 0,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select _id as id from ${from} where ${allOf(filter)} ${orderSql(db, terms)}
    limit ${limit} offset ${offset}`.execute(db.k);
  return rows.map(({ id }) => id);
}

function countFiltered({ db, from, filter }: Rows): Promise<number> {
  return countRows(db, sql`${from} where ${allOf(filter)}`);
}
