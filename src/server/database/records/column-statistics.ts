import { sql, type RawBuilder } from 'kysely';
import type { ExactSum } from '#shared/exact-sums.ts';
import type { Scalar } from '#shared/values.ts';
import type { Transaction } from '../database.ts';
import { chunks } from './bulk.ts';
import { fromStored, instantColumn, tableName, valueColumn, type Stored } from './columns.ts';
import { allOf } from './comparisons.ts';
import { SMALL_SET_LIMIT } from './conditions.ts';
import { sumOf, type Sum, type SummedField } from './exact-sum.ts';
import { idRows } from './row-id-bitmap.ts';
import { idsInOrder } from './postgres-lists.ts';
import { readRecord } from './read-records.ts';
import { LOOKED_AT_ONCE, pieces, type Selection } from './selection.ts';
import { orderOf } from './sorting.ts';
import { sortKey } from './sort-key.ts';
import { byIndex, columnOf, sourceOf } from './source.ts';
import { readSorted } from './sqlite-lists.ts';
import { countValuesInUse } from './distinct-values.ts';

/** What is known of the values of a column in some records. */
export interface ColumnStatistics {
  /** records with a value; nothing and the empty text are none */
  readonly filled: number;
  /** how many different values; null where there are too many records to tell in time */
  readonly distinct: number | null;
  /** in the order of lists; null for booleans and where there is no value */
  readonly min: Scalar;
  readonly max: Scalar;
  /** null for what is no number and where there is no value */
  readonly sum: ExactSum | null;
}

/** Up to how many records different values are counted. */
const MAX_DISTINCT_OF = 250_000;

/** Reads the facts of columns in the records of a selection. */
export async function readColumnStatistics(
  db: Transaction,
  selection: Selection,
  fields: readonly SummedField[],
): Promise<ColumnStatistics[]> {
  if (fields.length === 0) return [];
  const whole = db.dialect === 'sqlite' && selection.members === null;
  const rows = whole ? selection.count : LOOKED_AT_ONCE;
  const sums: (Sum | null)[] = [];
  for (const field of fields) {
    const isNumber = field.type === 'integer' || field.type === 'decimal';
    sums.push(isNumber ? await sumOf(db, selection.collection, field, rows) : null);
  }
  const tally = db.dialect === 'postgres' ? byStatement : whole ? byIndexes : byPieces;
  const counts = await tally(db, selection, fields, sums);
  const distincts = await countDistinct(db, selection, fields, counts);
  const facts: ColumnStatistics[] = [];
  for (const [i, field] of fields.entries()) {
    const { filled, emptyTexts, least, most, units } = counts[i] ?? NOTHING;
    const scale = sums[i]?.scale;
    const ends =
      field.type === 'text' || field.type === 'datetime'
        ? await endsOf(db, selection, field, filled, emptyTexts)
        : [fromStored(field, least), fromStored(field, most)];
    facts.push({
      filled,
      distinct: distincts[i] ?? null,
      min: ends[0] ?? null,
      max: ends[1] ?? null,
      sum: scale === undefined || filled === 0 ? null : { units, scale },
    });
  }
  return facts;
}

/** What one pass over the records tells of a column. */
interface Tally {
  readonly filled: number;
  readonly emptyTexts: number;
  /** null: not counted in this pass */
  readonly distinct: number | null;
  /** numbers and dates alone */
  readonly least: Stored;
  readonly most: Stored;
  readonly units: bigint;
}

const NOTHING: Tally = {
  filled: 0,
  emptyTexts: 0,
  distinct: null,
  least: null,
  most: null,
  units: 0n,
};

type Row = Readonly<Record<string, unknown>>;

/** What makes values of a column different; null where there is none. */
function distinctValue(field: SummedField): RawBuilder<unknown> {
  const column = sql.ref(field.type === 'datetime' ? instantColumn(field) : valueColumn(field));
  return field.type === 'text' ? sql`nullif(${column}, '')` : column;
}

/** The aggregates of all columns in one statement; `readTally` reads the row. */
function aggregates(
  fields: readonly SummedField[],
  sums: readonly (Sum | null)[],
  distinct: boolean,
): RawBuilder<unknown> {
  const all = fields.flatMap((field, i) => {
    const column = sql.ref(valueColumn(field));
    const text = field.type === 'text';
    const value = distinctValue(field);
    const ordered = !text && field.type !== 'datetime' && field.type !== 'boolean';
    const named = (aggregate: RawBuilder<unknown>, name: string) =>
      sql`${aggregate} as ${sql.ref(`${name}_${i}`)}`;
    return [
      named(sql`count(${value})`, 'filled'),
      ...(text ? [named(sql`count(*) filter (where ${column} = '')`, 'empty')] : []),
      ...(distinct ? [named(sql`count(distinct ${value})`, 'distinct')] : []),
      ...(ordered ? [named(sql`min(${column})`, 'least'), named(sql`max(${column})`, 'most')] : []),
      ...(sums[i]?.aggregates ?? []).map((aggregate, part) => named(aggregate, `sum_${part}`)),
    ];
  });
  return sql.join(all);
}

function readTally(row: Row, i: number, sum: Sum | null): Tally {
  const number = (name: string) => Number(row[`${name}_${i}`] ?? 0);
  const end = (name: string): Stored => {
    const value = row[`${name}_${i}`];
    return typeof value === 'string' || typeof value === 'number' ? value : null;
  };
  return {
    filled: number('filled'),
    emptyTexts: number('empty'),
    distinct: row[`distinct_${i}`] === undefined ? null : number('distinct'),
    least: end('least'),
    most: end('most'),
    units: sum?.total(sum.aggregates.map((_, part) => row[`sum_${part}_${i}`])) ?? 0n,
  };
}

/** PostgreSQL */
async function byStatement(
  db: Transaction,
  { collection, tests, count }: Selection,
  fields: readonly SummedField[],
  sums: readonly (Sum | null)[],
): Promise<Tally[]> {
  const { rows } = await sql<Row>`
    select ${aggregates(fields, sums, count <= MAX_DISTINCT_OF)}
    from ${sql.table(tableName(collection))} where ${allOf(tests)}`.execute(db.k);
  return fields.map((_, i) => readTally(rows[0] ?? {}, i, sums[i] ?? null));
}

/** SQLite, of all records: each column by its index, without a look at the records. */
async function byIndexes(
  db: Transaction,
  { collection }: Selection,
  fields: readonly SummedField[],
  sums: readonly (Sum | null)[],
): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const [i, field] of fields.entries()) {
    const source = sourceOf(db, collection, columnOf(collection, field));
    const table = byIndex(collection, source.index);
    if (source.kind === 'text') {
      const { key } = source;
      const { rows } = await sql<{ filled: number; empty: number }>`
        select (select count(*) from ${table} where ${key} > ${sortKey('')}) as filled,
          (select count(*) from ${table} where ${key} = ${sortKey('')}) as empty`.execute(db.k);
      const { filled = 0, empty = 0 } = rows[0] ?? {};
      tallies.push({ ...NOTHING, filled, emptyTexts: empty });
    } else {
      const sum = sums[i] ?? null;
      const { rows } =
        await sql<Row>`select ${aggregates([field], [sum], false)} from ${table}`.execute(db.k);
      tallies.push(readTally(rows[0] ?? {}, 0, sum));
    }
    await new Promise(setImmediate);
  }
  return tallies;
}

/** SQLite, of some records: all columns at once, by looking at the records. */
async function byPieces(
  db: Transaction,
  selection: Selection,
  fields: readonly SummedField[],
  sums: readonly (Sum | null)[],
): Promise<Tally[]> {
  const single = selection.count <= LOOKED_AT_ONCE;
  const table = sql.table(tableName(selection.collection));
  let tallies = fields.map(() => (single ? { ...NOTHING, distinct: 0 } : NOTHING));
  for await (const ids of pieces(db, selection)) {
    const { rows } = await sql<Row>`
      select ${aggregates(fields, sums, single)}
      from ${idRows(ids)} as one cross join ${table} on _id = one.value`.execute(db.k);
    const row = rows[0] ?? {};
    tallies = tallies.map((tally, i) => together(tally, readTally(row, i, sums[i] ?? null)));
  }
  return tallies;
}

function together(a: Tally, b: Tally): Tally {
  const first = a.least === null || (b.least !== null && b.least < a.least) ? b : a;
  const last = a.most === null || (b.most !== null && b.most > a.most) ? b : a;
  return {
    filled: a.filled + b.filled,
    emptyTexts: a.emptyTexts + b.emptyTexts,
    distinct: b.distinct,
    least: first.least,
    most: last.most,
    units: a.units + b.units,
  };
}

/** Columns whose values one statement compares: each such statement looks at the records, and none can be cancelled. */
const COMPARED_AT_ONCE = 4;

/** How many different values each column has; null where there are too many records to tell in time. */
async function countDistinct(
  db: Transaction,
  { collection, members, count }: Selection,
  fields: readonly SummedField[],
  tallies: readonly Tally[],
): Promise<(number | null)[]> {
  const counts = fields.map((_, i) =>
    tallies[i]?.filled === 0 ? 0 : (tallies[i]?.distinct ?? null),
  );
  if (db.dialect === 'postgres' || count > MAX_DISTINCT_OF) return counts;
  const missing = fields.flatMap((field, i) => (counts[i] === null ? [{ field, i }] : []));
  if (!members) {
    for (const { field, i } of missing) {
      counts[i] = await countValuesInUse(db, collection, columnOf(collection, field));
    }
    return counts;
  }
  for (const some of chunks(missing, COMPARED_AT_ONCE)) {
    const each = some.map(
      ({ field, i }) => sql`count(distinct ${distinctValue(field)}) as ${sql.ref(`distinct_${i}`)}`,
    );
    const { rows } = await sql<Row>`
      select ${sql.join(each)}
      from ${idRows(members.ascending)} as one cross join ${sql.table(tableName(collection))} on _id = one.value`.execute(
      db.k,
    );
    for (const { i } of some) counts[i] = Number(rows[0]?.[`distinct_${i}`] ?? 0);
    await new Promise(setImmediate);
  }
  return counts;
}

/** The first and the last value in the order of lists. */
async function endsOf(
  db: Transaction,
  { collection, members, tests }: Selection,
  field: SummedField,
  filled: number,
  emptyTexts: number,
): Promise<Scalar[]> {
  if (filled === 0) return [];
  const at = collection.fields.findIndex(({ number }) => number === field.number);
  const ends: Scalar[] = [];
  // The empty text sorts before all others.
  for (const [descending, offset] of [
    [false, emptyTexts],
    [true, 0],
  ] as const) {
    const orders = await orderOf(db, collection, [
      { column: columnOf(collection, field), descending },
    ]);
    const [id] =
      db.dialect === 'sqlite'
        ? await readSorted(db, collection, orders, members, { offset }, 1, SMALL_SET_LIMIT)
        : await idsInOrder(db, collection, tests, orders, { offset }, 1);
    const record = id === undefined ? undefined : await readRecord(db, collection, id);
    ends.push(record?.values[at] ?? null);
  }
  return ends;
}
