import { sql } from 'kysely';
import { searchNeedle } from '#shared/values/fold.ts';
import type { ListQuery } from '#shared/rules/lists.ts';
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
import { tableName, type StoredField } from '../records/columns.ts';
import { allOf, type Sql } from '../records/comparisons.ts';
import { countRows } from '../records/count-rows.ts';
import { conditionsOf, isIndexed, searchSql } from '../records/conditions.ts';
import type { Cursor, Start } from '../records/cursor.ts';
import type { SummedField } from '../records/exact-sum.ts';
import { IndexOrder, readByStatement, readByValue } from '../records/ordered-ids.ts';
import { readRecord } from '../records/read-records.ts';
import { readCount } from './record-counts.ts';
import { RecordLists } from '../records/record-lists.ts';
import { readSearchTextsState } from '../records/search-texts.ts';
import { afterSql, orderOf, orderSql, type Order } from '../records/sorting.ts';
import { columnOf } from '../records/list-column-source.ts';
import { valuesInUse } from '../records/values-in-use.ts';
import { groupRecords } from './postgres-groups.ts';
import { readColumnStatistics } from './postgres-statistics.ts';

/**
 * Limits for counting the matches of a page. Counting proceeds step by step while it takes no longer than
 * `MAX_COUNTING`, in milliseconds: PostgreSQL visits each record that a filter finds, which may take 3 ms per thousand.
 */
const COUNTING_STEPS = [10_000, 50_000, 250_000];
const MAX_COUNTING = 100;

/** Lists on PostgreSQL, whose planner uses statistics to choose how to read a filter in an order. */
export class PostgresLists extends RecordLists implements ListReader {
  async conditions(collection: Collection, filter: RecordFilter): Promise<Sql[]> {
    const { db } = this;
    // The trigram index of all search texts finds the candidates for a text search in one field.
    const needles = filter.where.flatMap((condition) => {
      if ('anyOf' in condition || condition.op !== 'like' || condition.column.kind !== 'field')
        return [];
      const needle = searchNeedle(condition.folded);
      return isIndexed(needle) ? [needle] : [];
    });
    // Those of a field that was restored may not be in them yet.
    const isComplete =
      needles.length > 0 && (await readSearchTextsState(db, collection)).isComplete;
    const candidates = isComplete ? needles.map((needle) => searchSql(db, collection, needle)) : [];
    return [...(await conditionsOf(db, collection, filter)), ...candidates];
  }

  async ids(
    collection: Collection,
    query: Pick<ListQuery, 'where' | 'q' | 'sort'>,
    limit: number,
    offset = 0,
  ): Promise<{ id: number; version: number }[]> {
    const { db } = this;
    const terms = (await orderOf(db, collection, query.sort)).flatMap((order) => order.terms);
    const { rows } = await sql<{ id: number; version: number }>`
      select _id as id, _version as version from ${await this.#matching(collection, query)}
      ${orderSql(db, terms)} limit ${limit} offset ${offset}`.execute(db.k);
    return rows;
  }

  async count(collection: Collection, filter: RecordFilter): Promise<number> {
    const tests = await this.conditions(collection, filter);
    if (tests.length === 0) return readCount(this.db, collection);
    return countRows(this.db, matching(collection, tests));
  }

  async groups(
    collection: Collection,
    filter: RecordFilter,
    grouping: RecordGrouping,
  ): Promise<RecordGroups> {
    const from = await this.#matching(collection, filter);
    return groupRecords(this.db, collection, from, grouping);
  }

  async statistics(
    collection: Collection,
    records: RecordFilter | readonly number[],
    fields: readonly SummedField[],
  ): Promise<{ readonly count: number; readonly columns: readonly ColumnStatistics[] }> {
    const { db } = this;
    const tests =
      'where' in records
        ? await this.conditions(collection, records)
        : [sql<boolean>`_id = any(${[...records]}::bigint[])`];
    const from = matching(collection, tests);
    const count = await countRows(db, from);
    const readExtremes = async (field: SummedField, emptyTexts: number) => {
      const ends = [];
      // The empty text counts as no value but sorts before all others.
      for (const [descending, offset] of [
        [false, emptyTexts],
        [true, 0],
      ] as const) {
        const column = columnOf(collection, field);
        const orders = await orderOf(db, collection, [{ column, descending }]);
        const [id] = await this.#read(collection, tests, orders, { offset }, 1);
        ends.push(id === undefined ? undefined : await readRecord(db, collection, id));
      }
      return ends;
    };
    const selection = { collection, matching: from, count };
    const columns = await readColumnStatistics(db, selection, fields, readExtremes);
    return { count, columns };
  }

  valuesInUse(
    collection: Collection,
    field: StoredField,
    part: string,
    limit: number,
  ): Promise<ValueInUse[]> {
    return valuesInUse(this.db, collection, field, part, limit);
  }

  protected async orderedIds(
    collection: Collection,
    filter: RecordFilter,
    orders: readonly Order[],
    start: Start,
    limit: number,
  ): Promise<number[]> {
    const tests = await this.conditions(collection, filter);
    return this.#read(collection, tests, orders, start, limit);
  }

  #read(
    collection: Collection,
    tests: readonly Sql[],
    orders: readonly Order[],
    start: Start,
    limit: number,
  ): Promise<number[]> {
    const table = sql.table(tableName(collection));
    const rows = { db: this.db, from: table, filter: tests };
    const terms = orders.flatMap((order) => order.terms);
    const [first, ...rest] = terms;
    // No index combines descending values with ascending ids, or several fields.
    const isServed = !first?.descending && rest.length === 0;
    return !first || isServed || tests.length > 0
      ? readByStatement(rows, terms, start, limit)
      : readByValue(new IndexOrder(rows, table, first, rest), start, limit);
  }

  protected async pageCount(collection: Collection, filter: RecordFilter): Promise<Count> {
    const tests = await this.conditions(collection, filter);
    if (tests.length === 0) return { total: await readCount(this.db, collection) };
    let atLeast = 0;
    for (const [step, most] of COUNTING_STEPS.entries()) {
      const begin = performance.now();
      const count = await countRows(
        this.db,
        sql`(select 1 from ${matching(collection, tests)} limit ${most + 1}) as counted`,
      );
      if (count <= most) return { total: count };
      atLeast = most;
      const growth = (COUNTING_STEPS[step + 1] ?? most) / most;
      if ((performance.now() - begin) * growth > MAX_COUNTING) break;
    }
    return { total: null, atLeast };
  }

  protected async countBefore(
    collection: Collection,
    filter: RecordFilter,
    orders: readonly Order[],
    { id, sortValues }: Cursor,
  ): Promise<number | null> {
    const terms = orders.flatMap((order) => order.terms);
    const { rows } = await sql<{ found: number; before: number }>`
      select count(*) filter (where _id = ${id}) as found,
        count(*) filter (where _id <> ${id} and ${afterSql(terms, sortValues, id)} is not true) as before
      from ${await this.#matching(collection, filter)}`.execute(this.db.k);
    const [counts] = rows;
    return counts && counts.found > 0 ? counts.before : null;
  }

  async #matching(collection: Collection, filter: RecordFilter) {
    return matching(collection, await this.conditions(collection, filter));
  }
}

function matching(collection: Collection, tests: readonly Sql[]) {
  return sql`${sql.table(tableName(collection))} where ${allOf(tests)}`;
}
