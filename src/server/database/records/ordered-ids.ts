import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../database.ts';
import type { ColumnValue } from './columns.ts';
import { allOf, type Sql } from './comparisons.ts';
import { countRows } from './count-rows.ts';
import type { Cursor, Start } from './cursor.ts';
import { afterSql, orderSql, type OrderTerm } from './sorting.ts';

/** A record with its value in the first term of an order. */
export interface ValueEntry {
  readonly id: number;
  readonly sortValue: ColumnValue;
}

/**
 * The records of a list by their values in the first sort term. An index has these values in order, but not the other
 * terms, nor ascending ids for descending values.
 */
export interface ValueOrder {
  /** The records that have a value, ordered by it; records with equal values in index order. */
  entries(from: { offset: number } | { after: ColumnValue }, limit: number): Promise<ValueEntry[]>;
  /** How many records of equal value come before an entry in the order of `entries`. */
  countEqualBefore(entry: ValueEntry, offset: number): Promise<number>;
  /** The number of records that have a value. */
  count(): Promise<number>;
  /** Reads ids of the records with one value, or without a value (null), in list order. */
  group(sortValue: ColumnValue, start: Start, limit: number): Promise<number[]>;
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
  const addGroup = async (sortValue: ColumnValue, from: Start) => {
    if (ids.length < limit) ids.push(...(await order.group(sortValue, from, limit - ids.length)));
  };
  let last: ColumnValue = null;
  if ('after' in start) {
    last = start.after.sortValues[0] ?? null;
    await addGroup(last, { after: positionInGroup(start.after) });
    if (last === null) return ids;
  } else if (start.offset > 0) {
    const [entry] = await order.entries({ offset: start.offset }, 1);
    if (!entry) {
      await addGroup(null, { offset: start.offset - (await order.count()) });
      return ids;
    }
    last = entry.sortValue;
    await addGroup(last, { offset: await order.countEqualBefore(entry, start.offset) });
  }
  while (ids.length < limit) {
    const from = last === null ? { offset: 0 } : { after: last };
    const entries = await order.entries(from, limit - ids.length);
    last = entries.at(-1)?.sortValue ?? null;
    if (last === null) {
      await addGroup(null, LIST_START);
      break;
    }
    const complete = entries.flatMap(({ id, sortValue }) => (sortValue === last ? [] : [id]));
    if (complete.length > 0) ids.push(...(await order.sort(complete)));
    await addGroup(last, LIST_START);
  }
  return ids;
}

/** Records of an archive or table that are read with plain SQL. */
interface RecordRows {
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
  rows: RecordRows,
  terms: readonly OrderTerm[],
  start: Start,
  limit: number,
): Promise<number[]> {
  const [first, ...rest] = terms;
  if (!first?.nullable) return readSlice(rows, terms, start, limit);
  const ids: number[] = [];
  const filled = withConditions(rows, first.filled);
  const sortValue = 'after' in start ? (start.after.sortValues[0] ?? null) : null;
  if ('offset' in start || sortValue !== null) {
    const selected = 'offset' in start ? filled : rows;
    ids.push(
      ...(await readSlice(selected, [{ ...first, nullable: false }, ...rest], start, limit)),
    );
    if (ids.length >= limit) return ids;
  }
  let from = LIST_START;
  if ('after' in start && sortValue === null) from = { after: positionInGroup(start.after) };
  if ('offset' in start && start.offset > 0 && ids.length === 0) {
    from = { offset: Math.max(0, start.offset - (await countFiltered(filled))) };
  }
  const without = withConditions(rows, sql<boolean>`${first.expression} is null`);
  return [...ids, ...(await readByStatement(without, rest, from, limit - ids.length))];
}

async function readSlice(
  rows: RecordRows,
  terms: readonly OrderTerm[],
  start: Start,
  limit: number,
): Promise<number[]> {
  if ('offset' in start) return select(rows, terms, limit, start.offset);
  const { sortValues, id } = start.after;
  const after = afterSql(terms, sortValues, id);
  const [first] = terms;
  const sortValue = sortValues[0] ?? null;
  if (!first || first.nullable || sortValue === null)
    return select(withConditions(rows, after), terms, limit);
  // Repeats what `after` implies, in a form that lets an index scan start there.
  const from = first.descending
    ? sql<boolean>`${first.expression} <= ${sortValue}`
    : sql<boolean>`${first.expression} >= ${sortValue}`;
  return select(withConditions(rows, from, after), terms, limit);
}

/** The values of the first term in index order, read with plain SQL. */
export class IndexOrder implements ValueOrder {
  readonly #rows: RecordRows;
  readonly #table: RawBuilder<unknown>;
  readonly #firstTerm: OrderTerm;
  readonly #otherTerms: readonly OrderTerm[];
  readonly group: ValueOrder['group'];

  /**
   * @param table the same table, without an index hint
   * @param group reads the records of one value; with one statement if it is missing
   */
  constructor(
    rows: RecordRows,
    table: RawBuilder<unknown>,
    first: OrderTerm,
    rest: readonly OrderTerm[],
    group?: ValueOrder['group'],
  ) {
    this.#rows = rows;
    this.#table = table;
    this.#firstTerm = first;
    this.#otherTerms = rest;
    this.group =
      group ??
      ((sortValue, start, limit) => {
        const { expression } = first;
        const equal =
          sortValue === null
            ? sql<boolean>`${expression} is null`
            : sql<boolean>`${expression} = ${sortValue}`;
        return readByStatement(withConditions(rows, equal), rest, start, limit);
      });
  }

  async entries(
    from: { offset: number } | { after: ColumnValue },
    limit: number,
  ): Promise<ValueEntry[]> {
    const { expression, descending } = this.#firstTerm;
    const direction = descending ? sql`desc` : sql`asc`;
    const {
      db,
      from: table,
      filter,
    } = 'after' in from
      ? withConditions(
          this.#rows,
          descending ? sql`${expression} < ${from.after}` : sql`${expression} > ${from.after}`,
        )
      : this.#filled();
    const offset = 'after' in from ? 0 : from.offset;
    const { rows } = await sql<ValueEntry>`
      select ${expression} as "sortValue", _id as id from ${table} where ${allOf(filter)}
      order by ${expression} ${direction}, _id ${direction} limit ${limit} offset ${offset}`.execute(
      db.k,
    );
    return rows;
  }

  countEqualBefore({ id, sortValue }: ValueEntry): Promise<number> {
    const { expression, descending } = this.#firstTerm;
    const before = descending ? sql<boolean>`_id > ${id}` : sql<boolean>`_id < ${id}`;
    return countFiltered(withConditions(this.#rows, sql`${expression} = ${sortValue}`, before));
  }

  count(): Promise<number> {
    return countFiltered(this.#filled());
  }

  sort(ids: readonly number[]): Promise<number[]> {
    const isListed = sql<boolean>`_id in (${sql.join(ids)})`;
    const rows = { ...this.#rows, from: this.#table, filter: [isListed] };
    return select(rows, [this.#firstTerm, ...this.#otherTerms], ids.length);
  }

  #filled(): RecordRows {
    return withConditions(this.#rows, this.#firstTerm.filled);
  }
}

/** A position among the records with the same value in the first term. */
function positionInGroup({ sortValues, id }: Cursor): Cursor {
  return { sortValues: sortValues.slice(1), id };
}

function withConditions(rows: RecordRows, ...further: readonly Sql[]): RecordRows {
  return { ...rows, filter: [...rows.filter, ...further] };
}

async function select(
  { db, from, filter }: RecordRows,
  terms: readonly OrderTerm[],
  limit: number,
  offset = 0,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select _id as id from ${from} where ${allOf(filter)} ${orderSql(db, terms)}
    limit ${limit} offset ${offset}`.execute(db.k);
  return rows.map(({ id }) => id);
}

function countFiltered({ db, from, filter }: RecordRows): Promise<number> {
  return countRows(db, sql`${from} where ${allOf(filter)}`);
}
