import { sql } from 'kysely';
import { isNumber, isText } from '#shared/values/registry.ts';
import { yieldToEventLoop } from '../cooperative-yield.ts';
import type { Transaction } from '../database.ts';
import { chunks } from '../records/bulk-statements.ts';
import { tableName } from '../records/columns.ts';
import {
  aggregatesOf,
  completeStatistics,
  distinctValue,
  MAX_RECORDS_FOR_DISTINCT,
  NO_VALUES,
  readTally,
  type Tally,
} from '../records/column-statistics.ts';
import type { ColumnStatistics } from '../records/list-reader.ts';
import type { Sum, SummedField } from '../records/exact-sum.ts';
import type { SqlRow } from '../records/groups.ts';
import { readRecord } from '../records/read-records.ts';
import { sortKey } from '../records/sort-key.ts';
import { orderOf, orderSql } from '../records/sorting.ts';
import { columnOf, sourceOf } from '../records/list-column-source.ts';
import { tableByIndex } from './table-by-index.ts';
import { prepareSum } from './sqlite-sums.ts';
import {
  filterIds,
  idChunks,
  recordsOf,
  membershipTest,
  RECORD_BATCH_SIZE,
  selectIds,
  type IdList,
} from './id-lists.ts';
import { countIndexValues } from './index-values.ts';
import type { RecordSelection } from './selection.ts';

/** Reads the statistics of columns in the records of a selection. */
export async function readColumnStatistics(
  db: Transaction,
  selection: RecordSelection,
  fields: readonly SummedField[],
): Promise<ColumnStatistics[]> {
  if (fields.length === 0) return [];
  const { collection, members, count } = selection;
  const sums: (Sum | null)[] = [];
  for (const field of fields) {
    const rows = members === null ? count : RECORD_BATCH_SIZE;
    sums.push(isNumber(field) ? await prepareSum(db, collection, field, rows) : null);
  }
  const tallies =
    members === null
      ? await tallyByIndexes(db, selection, fields, sums)
      : await tallyRecords(db, selection, members, fields, sums);
  const counted = await countDistinct(db, selection, fields, tallies);
  return completeStatistics(collection, fields, sums, counted, (field) =>
    readExtremes(db, selection, field),
  );
}

/** For all records: each column from its index, without reading records. */
async function tallyByIndexes(
  db: Transaction,
  { collection }: RecordSelection,
  fields: readonly SummedField[],
  sums: readonly (Sum | null)[],
): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const [i, field] of fields.entries()) {
    const source = sourceOf(db, collection, columnOf(collection, field));
    const table = tableByIndex(collection, source.index);
    if (source.kind === 'text') {
      const { key } = source;
      const { rows } = await sql<{ filled: number; empty: number }>`
        select (select count(*) from ${table} where ${key} > ${sortKey('')}) as filled,
          (select count(*) from ${table} where ${key} = ${sortKey('')}) as empty`.execute(db.k);
      const { filled = 0, empty = 0 } = rows[0] ?? {};
      tallies.push({ ...NO_VALUES, filled, emptyTexts: empty });
    } else {
      const sum = sums[i] ?? null;
      const { rows } =
        await sql<SqlRow>`select ${aggregatesOf([field], [sum], false)} from ${table}`.execute(
          db.k,
        );
      tallies.push(readTally(rows[0] ?? {}, 0, sum));
    }
    await yieldToEventLoop();
  }
  return tallies;
}

/** For some records: all columns at once, by reading the records. */
async function tallyRecords(
  db: Transaction,
  { collection }: RecordSelection,
  members: IdList,
  fields: readonly SummedField[],
  sums: readonly (Sum | null)[],
): Promise<Tally[]> {
  const single = members.length <= RECORD_BATCH_SIZE;
  let tallies = fields.map(() => (single ? { ...NO_VALUES, distinct: 0 } : NO_VALUES));
  for await (const ids of idChunks(members)) {
    const { rows } = await sql<SqlRow>`
      select ${aggregatesOf(fields, sums, single)}
      from ${recordsOf(collection, ids)}`.execute(db.k);
    const row = rows[0] ?? {};
    tallies = tallies.map((tally, i) => addTally(tally, readTally(row, i, sums[i] ?? null)));
  }
  return tallies;
}

function addTally(a: Tally, b: Tally): Tally {
  const first = a.min === null || (b.min !== null && b.min < a.min) ? b : a;
  const last = a.max === null || (b.max !== null && b.max > a.max) ? b : a;
  return {
    filled: a.filled + b.filled,
    emptyTexts: a.emptyTexts + b.emptyTexts,
    distinct: b.distinct,
    min: first.min,
    max: last.max,
    sumUnits: a.sumUnits + b.sumUnits,
  };
}

/** Columns whose values one statement compares: it reads all records and cannot be cancelled. */
const COLUMN_BATCH_SIZE = 4;

/**
 * Counts the distinct values of the columns that the pass over the records did not count, unless there are too many
 * records.
 */
async function countDistinct(
  db: Transaction,
  { collection, members, count }: RecordSelection,
  fields: readonly SummedField[],
  tallies: readonly Tally[],
): Promise<Tally[]> {
  const counted = [...tallies];
  if (count > MAX_RECORDS_FOR_DISTINCT) return counted;
  const missing = [...fields.entries()].filter(([i]) => {
    const tally = tallies[i];
    return tally && tally.distinct === null && tally.filled > 0;
  });
  const add = (i: number, distinct: number) => {
    counted[i] = { ...(tallies[i] ?? NO_VALUES), distinct };
  };
  if (!members) {
    for (const [i, field] of missing)
      add(i, await countIndexValues(db, collection, columnOf(collection, field)));
    return counted;
  }
  for (const some of chunks(missing, COLUMN_BATCH_SIZE)) {
    const each = some.map(
      ([i, field]) => sql`count(distinct ${distinctValue(field)}) as ${sql.ref(`distinct_${i}`)}`,
    );
    const { rows } = await sql<SqlRow>`
      select ${sql.join(each)}
      from ${recordsOf(collection, members)}`.execute(db.k);
    for (const [i] of some) add(i, Number(rows[0]?.[`distinct_${i}`] ?? 0));
    await yieldToEventLoop();
  }
  return counted;
}

/** Index entries with which the search for a first record starts, and how fast the number grows. */
const [FIRST_ENTRIES, GROWTH] = [1_000, 8];

/** The records with the first and the last value of a column in list order; the empty text is no value. */
async function readExtremes(
  db: Transaction,
  { collection, members }: RecordSelection,
  field: SummedField,
) {
  const isMember = members ? membershipTest(members) : () => true;
  const table = sql.table(tableName(collection));
  const ends = [];
  for (const descending of [false, true]) {
    const [order] = await orderOf(db, collection, [
      { column: columnOf(collection, field), descending },
    ]);
    const [term, ...cut] = order?.terms ?? [];
    if (!order || !term) continue;
    const from = tableByIndex(collection, order.index);
    const filled = isText(field) ? sql`${term.expression} > ${sortKey('')}` : term.filled;
    const down = descending ? sql`desc` : sql`asc`;
    let first: number | undefined;
    for (let [offset, size] = [0, FIRST_ENTRIES]; first === undefined; size *= GROWTH) {
      const ids = await selectIds(
        db,
        sql`select _id from ${from} where ${filled}
          order by ${term.expression} ${down}, _id ${down} limit ${size} offset ${offset}`,
      );
      first = ids.find(isMember);
      if (ids.length < size) break;
      offset += size;
    }
    // Records with equal values are ordered by id, texts with the same truncated key by the whole text.
    const extreme = sql`(select ${term.expression} from ${table} where _id = ${first ?? null})`;
    const equal = filterIds(
      await selectIds(db, sql`select _id from ${from} where ${term.expression} = ${extreme}`),
      isMember,
    );
    const sorted =
      cut.length === 0
        ? equal
        : await selectIds(
            db,
            sql`select _id from ${recordsOf(collection, equal)}
              ${orderSql(db, cut)} limit 1`,
          );
    ends.push(sorted[0] === undefined ? undefined : await readRecord(db, collection, sorted[0]));
  }
  return ends;
}
