import { sql } from 'kysely';
import { fold } from '#shared/values/fold.ts';
import type { ListQuery } from '#shared/rules/lists.ts';
import type { Transaction } from '../database.ts';
import type { Collection } from '../records/collection.ts';
import type {
  ColumnStatistics,
  Count,
  RecordGrouping,
  RecordGroups,
  ListReader,
  RecordFilter,
  ValueInUse,
} from '../records/list-reader.ts';
import { tableName, type ColumnValue, type StoredField } from '../records/columns.ts';
import { readNewestHistoryId } from '../records/changed-records.ts';
import { allOf, type Sql } from '../records/comparisons.ts';
import { countRows } from '../records/count-rows.ts';
import { conditionsOf } from '../records/conditions.ts';
import type { Cursor, Start } from '../records/cursor.ts';
import type { SummedField } from '../records/exact-sum.ts';
import { IndexOrder, readByValue } from '../records/ordered-ids.ts';
import { RecordLists } from '../records/record-lists.ts';
import { orderOf, orderSql, type Order } from '../records/sorting.ts';
import { columnOf, sourceOf } from '../records/list-column-source.ts';
import { tableByIndex } from './table-by-index.ts';
import { valuesInUse } from '../records/values-in-use.ts';
import { filterPart, partsOf, testEach, type FilterPart } from './filter-parts.ts';
import {
  ascendingIds,
  filterIds,
  recordsOf,
  membershipTest,
  selectIds,
  updateIds,
  type IdList,
} from './id-lists.ts';
import { countUpTo, levelsOf, type Level, type ListCache } from './list-cache.ts';
import { MemoryOrder } from './memory-order.ts';
import { groupRecords } from './sqlite-groups.ts';
import type { RecordSelection } from './selection.ts';
import { readColumnStatistics } from './sqlite-statistics.ts';
import { textsInUse } from './texts-in-use.ts';

/** A page beyond this offset is read from a list in memory: skipping a million index entries takes 50 ms. */
const MAX_SKIPPED = 20_000;

/** Matches that are counted for a page; `count` has no limit. */
const MAX_COUNTED = 250_000;

/** Testing a record takes about as long as reading this many index entries; a few records take no time. */
const INDEX_ENTRIES_PER_RECORD_TEST = 250;
const MIN_SMALL_SET = 20;

/**
 * Lists on SQLite, which has one index per field and no statistics of values. Lists that have the order of one index
 * are read along it with plain SQL. Of all others the ids are read into memory and sorted there, and cached while they
 * are used (docs/lists.md).
 */
export class SqliteLists extends RecordLists implements ListReader {
  readonly #cache: ListCache | null;
  /** the newest history entry of the snapshot, once it is needed */
  #version: Promise<number> | undefined;

  /** @param cache of the read worker; null: lists are read each time */
  constructor(db: Transaction, cache: ListCache | null) {
    super(db);
    this.#cache = cache;
  }

  conditions(collection: Collection, filter: RecordFilter): Promise<Sql[]> {
    return conditionsOf(this.db, collection, filter);
  }

  async ids(
    collection: Collection,
    query: Pick<ListQuery, 'where' | 'q' | 'sort'>,
    limit: number,
    offset = 0,
  ): Promise<{ id: number; version: number }[]> {
    const parts = await partsOf(this.db, collection, query);
    const levels = levelsOf(await orderOf(this.db, collection, query.sort));
    const ids = await this.#read({ collection, parts, levels }, { offset }, limit);
    const { rows } = await sql<{ id: number; version: number }>`
      select _id as id, _version as version
      from ${recordsOf(collection, Float64Array.from(ids))} order by one.key`.execute(this.db.k);
    return rows;
  }

  async count(collection: Collection, filter: RecordFilter): Promise<number> {
    return this.#count(collection, await partsOf(this.db, collection, filter), null);
  }

  async groups(
    collection: Collection,
    filter: RecordFilter,
    grouping: RecordGrouping,
  ): Promise<RecordGroups> {
    return groupRecords(this.db, await this.#select(collection, filter), grouping);
  }

  async statistics(
    collection: Collection,
    records: RecordFilter | readonly number[],
    fields: readonly SummedField[],
  ): Promise<{ readonly count: number; readonly columns: readonly ColumnStatistics[] }> {
    const selection = await this.#select(collection, records);
    const columns = await readColumnStatistics(this.db, selection, fields);
    return { count: selection.count, columns };
  }

  async valuesInUse(
    collection: Collection,
    field: StoredField,
    part: string,
    limit: number,
  ): Promise<ValueInUse[]> {
    const source = sourceOf(this.db, collection, columnOf(collection, field));
    return source.kind === 'text'
      ? textsInUse(this.db, collection, { field, source }, fold(part), limit)
      : valuesInUse(this.db, collection, field, part, limit);
  }

  async #select(
    collection: Collection,
    records: RecordFilter | readonly number[],
  ): Promise<RecordSelection> {
    const ids = () => this.#matchingIds(collection, []);
    let members: IdList | null = null;
    if ('where' in records) {
      const parts = await partsOf(this.db, collection, records);
      if (parts.length > 0) members = await this.#matchingIds(collection, parts);
    } else
      members = ascendingIds(await testEach(this.db, collection, Float64Array.from(records), []));
    const count = members?.length ?? (await this.#count(collection, [], null));
    const isSmall = members !== null && count <= (await this.#smallSetLimit(collection));
    return { collection, members, count, isSmall, ids: async () => members ?? (await ids()) };
  }

  protected async orderedIds(
    collection: Collection,
    filter: RecordFilter,
    orders: readonly Order[],
    start: Start,
    limit: number,
  ): Promise<number[]> {
    const parts = await partsOf(this.db, collection, filter);
    return this.#read({ collection, parts, levels: levelsOf(orders) }, start, limit);
  }

  protected async pageCount(collection: Collection, filter: RecordFilter): Promise<Count> {
    const parts = await partsOf(this.db, collection, filter);
    const count = await this.#count(collection, parts, MAX_COUNTED);
    return parts.length === 0 || count <= MAX_COUNTED
      ? { total: count }
      : { total: null, atLeast: MAX_COUNTED };
  }

  protected async countBefore(
    collection: Collection,
    filter: RecordFilter,
    orders: readonly Order[],
    cursor: Cursor,
  ): Promise<number | null> {
    const parts = await partsOf(this.db, collection, filter);
    const tests = allOf(parts.map(({ test }) => test));
    const cursorRecord = sql`select _id from ${sql.table(tableName(collection))} where _id = ${cursor.id}`;
    if ((await selectIds(this.db, sql`${cursorRecord} and ${tests}`)).length === 0) return null;
    return this.#countBefore({ collection, parts, levels: levelsOf(orders) }, cursor);
  }

  async #countBefore(list: List, cursor: Cursor): Promise<number> {
    const { sortValues, id } = cursor;
    const [sortValue = null, ...others] = sortValues;
    const ids = await this.#sortedIds(list);
    if (ids) return (await countUpTo(this.db, list, ids, cursor)) - 1;
    const order = await this.#orderInMemory(list);
    const equal = this.#listOfValue(list, sortValue);
    return (
      (await order.countBefore(sortValue)) +
      (await this.#countBefore(equal, { sortValues: others, id }))
    );
  }

  async #read(list: List, start: Start, limit: number): Promise<number[]> {
    const indexed = await this.#readAlongIndex(list, start, limit);
    if (indexed) return indexed;
    const ids = await this.#sortedIds(list);
    if (!ids) return readByValue(await this.#orderInMemory(list), start, limit);
    const from =
      'offset' in start ? start.offset : await countUpTo(this.db, list, ids, start.after);
    return [...ids.subarray(from, from + limit)];
  }

  /** Reads a list in the order of one index; null if there is no such index, or too many entries would be skipped. */
  async #readAlongIndex(list: List, start: Start, limit: number): Promise<number[] | null> {
    const { collection, parts, levels } = list;
    if (('offset' in start && start.offset > MAX_SKIPPED) || limit > MAX_SKIPPED) return null;
    const [first, ...rest] = levels;
    if (!first) {
      const select = await this.#ascendingSelect(collection, parts);
      if (!select) return null;
      const [after, offset] = 'after' in start ? [start.after.id, 0] : [-1, start.offset];
      const { rows } = await sql<{ id: number }>`
        select _id as id from (${select}) where _id > ${after}
        order by _id limit ${limit} offset ${offset}`.execute(this.db.k);
      return rows.map(({ id }) => id);
    }
    if (parts.length > 0 || !first.isIndexed) return null;
    const rows = { db: this.db, from: tableByIndex(collection, first.index), filter: [] };
    const table = sql.table(tableName(collection));
    const terms = rest.map(({ term }) => term);
    const order = new IndexOrder(rows, table, first.term, terms, (sortValue, from, most) =>
      this.#read(this.#listOfValue(list, sortValue), from, most),
    );
    return readByValue(order, start, limit);
  }

  /** The records of a list with one value in its first term, or with none, as a list of the other terms. */
  #listOfValue(
    { collection, parts, levels: [first, ...rest] }: List,
    sortValue: ColumnValue,
  ): List {
    if (!first) throw new Error('A list without an order has no values.');
    const { expression } = first.term;
    const test =
      sortValue === null
        ? sql<boolean>`${expression} is null`
        : sql<boolean>`${expression} = ${sortValue}`;
    const select = sql`select _id from ${tableByIndex(collection, first.index)} where ${test}`;
    const equal = filterPart([first.index, 'equal', sortValue], test, select, {
      isAscending: true,
    });
    return { collection, parts: [...parts, equal], levels: rest };
  }

  /** The whole list in its order, if it is ordered only by ids or has few records; else null. */
  async #sortedIds(list: List): Promise<IdList | null> {
    const { collection, parts, levels } = list;
    const [first] = levels;
    if (!first) return this.#matchingIds(collection, parts);
    const smallSetLimit = await this.#smallSetLimit(collection);
    if (first.isIndexed && (await this.#count(collection, parts, smallSetLimit)) > smallSetLimit)
      return null;
    return this.#cached(list, async () =>
      this.#sort(await this.#matchingIds(collection, parts), collection, levels),
    );
  }

  /** The records of a list by their values in its first term, from a list of ids in memory. */
  async #orderInMemory(list: List): Promise<MemoryOrder> {
    const { collection, parts, levels } = list;
    const [first] = levels;
    if (!first) throw new Error('A list without an order has no values.');
    const ascending = { ...first, term: { ...first.term, descending: false } };
    const filled = filterPart(['filled'], first.term.filled, sql``);
    const byValue: List = { collection, parts: [...parts, filled], levels: [ascending] };
    const ids = await this.#cached(byValue, async () => {
      if (first.index === null) return this.#matchingIds(collection, parts);
      if (parts.length > 0) {
        const isMember = membershipTest(await this.#matchingIds(collection, parts));
        const all = await this.#orderInMemory({ collection, parts: [], levels: [first] });
        return filterIds(all.ids, isMember);
      }
      const { expression, filled: test } = first.term;
      const table = tableByIndex(collection, first.index);
      return selectIds(
        this.db,
        sql`select _id from ${table} where ${test} order by ${expression}, _id`,
      );
    });
    return new MemoryOrder(this.db, byValue, ids, first.term.descending, {
      group: (sortValue, start, limit) =>
        this.#read(this.#listOfValue(list, sortValue), start, limit),
      sort: async (ids) => [...(await this.#sort(Float64Array.from(ids), collection, levels))],
    });
  }

  /** Sorts records by reading each. */
  #sort(ids: IdList, collection: Collection, levels: readonly Level[]) {
    const terms = levels.map(({ term }) => term);
    return selectIds(
      this.db,
      sql`select _id from ${recordsOf(collection, ids)} ${orderSql(this.db, terms)}`,
    );
  }

  /** A statement that selects all matches by ascending ids without sorting; null if there is none. */
  async #ascendingSelect(collection: Collection, parts: readonly FilterPart[]) {
    const [first, ...others] = parts;
    if (!first) return sql`select _id from ${sql.table(tableName(collection))}`;
    if (others.length > 0) return null;
    const { isAscending, outdated } = first;
    if (!isAscending) return null;
    const isOutdated = outdated && (await selectIds(this.db, sql`${outdated} limit 1`)).length > 0;
    return isOutdated ? null : first.select(0);
  }

  /** @param limit null: counts all */
  async #count(
    collection: Collection,
    parts: readonly FilterPart[],
    limit: number | null,
  ): Promise<number> {
    const select = await this.#ascendingSelect(collection, parts);
    if (!select) return (await this.#matchingIds(collection, parts)).length;
    const from =
      parts.length === 0
        ? sql.table(tableName(collection))
        : sql`(${select} limit ${limit === null ? -1 : limit + 1})`;
    const key = parts.length === 0 ? '' : JSON.stringify([parts.map(({ key }) => key), limit]);
    const read = () => countRows(this.db, from);
    if (!this.#cache || parts.some(({ isVolatile }) => isVolatile)) return read();
    return this.#cache.count(this.db, await this.#newestEntry(), collection, key, read);
  }

  /** Up to this many records testing each record is faster than reading an index. */
  async #smallSetLimit(collection: Collection): Promise<number> {
    const all = await this.#count(collection, [], null);
    return Math.max(MIN_SMALL_SET, Math.floor(all / INDEX_ENTRIES_PER_RECORD_TEST));
  }

  #newestEntry(): Promise<number> {
    this.#version ??= readNewestHistoryId(this.db);
    return this.#version;
  }

  async #cached(list: List, read: () => Promise<IdList>): Promise<IdList> {
    const { collection, parts, levels } = list;
    if (!this.#cache || parts.some(({ isVolatile }) => isVolatile)) return read();
    const terms = levels.map(({ index, column, term }) => [index, column, term.descending]);
    const key = JSON.stringify([tableName(collection), parts.map(({ key }) => key), terms]);
    const tests = parts.map(({ test }) => test);
    const definition = { collection, key, tests, levels };
    return this.#cache.get(this.db, await this.#newestEntry(), definition, read);
  }

  /** The ids of all records that meet all conditions, ascending. */
  #matchingIds(collection: Collection, parts: readonly FilterPart[]): Promise<IdList> {
    return this.#cached({ collection, parts, levels: [] }, () =>
      this.#readMatchingIds(collection, parts),
    );
  }

  async #readMatchingIds(collection: Collection, parts: readonly FilterPart[]): Promise<IdList> {
    const [first, ...others] = parts;
    if (!first) {
      const table = sql.table(tableName(collection));
      return selectIds(this.db, sql`select _id from ${table} order by _id`);
    }
    const smallSetLimit = await this.#smallSetLimit(collection);
    if (others.length === 0) return this.#readIdsOfPart(collection, first, smallSetLimit);
    for (const part of parts) {
      if (part.isInverse || part.outdated || part.alternatives) continue;
      const found = await selectIds(
        this.db,
        sql`${await part.select(smallSetLimit)} limit ${smallSetLimit + 1}`,
      );
      if (found.length <= smallSetLimit)
        return ascendingIds(await testEach(this.db, collection, found, parts));
    }
    let ids = await this.#matchingIds(collection, [first]);
    for (const part of others)
      ids = filterIds(ids, membershipTest(await this.#matchingIds(collection, [part])));
    return ids;
  }

  async #readIdsOfPart(
    collection: Collection,
    part: FilterPart,
    smallSetLimit: number,
  ): Promise<IdList> {
    if (part.alternatives) {
      const found = new Set<number>();
      for (const alternative of part.alternatives) {
        for (const id of await this.#matchingIds(collection, [alternative])) found.add(id);
      }
      return ascendingIds(Float64Array.from(found));
    }
    const found = await selectIds(this.db, await part.select(smallSetLimit));
    if (part.isInverse) {
      const isFound = membershipTest(found);
      return filterIds(await this.#matchingIds(collection, []), (id) => !isFound(id));
    }
    const outdated = part.outdated && (await selectIds(this.db, part.outdated));
    if (!outdated || outdated.length === 0) return ascendingIds(found);
    const matching = await testEach(this.db, collection, outdated, [part]);
    return updateIds(ascendingIds(found), ascendingIds(outdated), ascendingIds(matching));
  }
}

/** Records in an order. */
interface List {
  readonly collection: Collection;
  readonly parts: readonly FilterPart[];
  readonly levels: readonly Level[];
}
