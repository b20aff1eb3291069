import { sql, type RawBuilder } from 'kysely';
import { compareCodePoints } from '#shared/code-points.ts';
import type { ExactSum } from '#shared/exact-sums.ts';
import { fold } from '#shared/fold.ts';
import type { Scalar } from '#shared/values.ts';
import type { Transaction } from '../database.ts';
import {
  foldColumn,
  fromStored,
  instantColumn,
  tableName,
  valueColumn,
  type Stored,
} from './columns.ts';
import { allOf } from './comparisons.ts';
import { SMALL_SET_LIMIT } from './conditions.ts';
import { sumOf, type Sum, type SummedField } from './exact-sum.ts';
import { idRows } from './row-id-bitmap.ts';
import { readRecords } from './read-records.ts';
import { LOOKED_AT_ONCE, pieces, type Selection } from './selection.ts';
import { columnOf } from './source.ts';
import { isWorthAWalk, walkValues } from './distinct-values.ts';

/** What groups are asked for. */
export interface Grouping {
  /** one or two columns: records of equal values are a group; date-times are equal by their instants */
  readonly by: readonly SummedField[];
  readonly sums: readonly SummedField[];
  readonly sort: 'count' | '-count' | 'value' | '-value';
  readonly limit: number;
  readonly offset: number;
  /** whether all groups are counted */
  readonly withTotal: boolean;
}

interface Group {
  /** in the order of `by` */
  readonly values: readonly Scalar[];
  readonly count: number;
  /** in the order of `sums`; null where no record of the group has a value */
  readonly sums: readonly (ExactSum | null)[];
}

export interface Groups {
  readonly groups: readonly Group[];
  /** how many there are in all; null where they are not counted */
  readonly total: number | null;
}

/** A group while it is being made. */
interface Found {
  /** as `groupedBy` reads them */
  readonly values: readonly Stored[];
  count: number;
  /** the lowest id */
  first: number;
  readonly sums: { units: bigint; count: number }[];
}

interface Slice {
  readonly found: readonly Found[];
  readonly total: number | null;
}

/**
 * Counts the records of a selection by their values. Groups of equal counts come in the order of their values;
 * what has no value comes last in both directions.
 * @param few for tests: how many records SQLite takes for few
 */
export async function groupRecords(
  db: Transaction,
  selection: Selection,
  grouping: Grouping,
  few = SMALL_SET_LIMIT,
): Promise<Groups> {
  const { collection, members, count } = selection;
  const sums: Sum[] = [];
  for (const field of grouping.sums) sums.push(await sumOf(db, collection, field, LOOKED_AT_ONCE));
  const [first, ...others] = grouping.by;
  const walks =
    db.dialect === 'sqlite' &&
    others.length + sums.length === 0 &&
    (members === null || isWorthAWalk(count, few));
  const { found, total } =
    first && walks
      ? await byWalk(db, selection, first, grouping)
      : db.dialect === 'sqlite'
        ? await byPieces(db, selection, grouping, sums)
        : await byStatement(db, selection, grouping, sums);
  const groups = await answered(db, selection, grouping, sums, found);
  return { groups, total: grouping.withTotal ? total : null };
}

/** Groups with their values as the fields have them; of date-times as the first record of the group tells it. */
async function answered(
  db: Transaction,
  { collection }: Selection,
  { by }: Grouping,
  sums: readonly Sum[],
  found: readonly Found[],
): Promise<Group[]> {
  const places = by.map((field) =>
    collection.fields.findIndex(({ number }) => number === field.number),
  );
  const told = by.some(({ type }) => type === 'datetime') ? found.map(({ first }) => first) : [];
  const records = await readRecords(db, collection, told);
  return found.map((group) => ({
    count: group.count,
    values: by.map((field, i) =>
      field.type === 'datetime'
        ? (records.get(group.first)?.values[places[i] ?? -1] ?? null)
        : fromStored(field, group.values[i]),
    ),
    sums: sums.map(({ scale }, i) => {
      const { units = 0n, count = 0 } = group.sums[i] ?? {};
      return count === 0 ? null : { units, scale };
    }),
  }));
}

/** SQLite, by the index of the one column: no record is looked at. */
async function byWalk(
  db: Transaction,
  { collection, members }: Selection,
  field: SummedField,
  { sort, limit, offset }: Grouping,
): Promise<Slice> {
  type Ranked = Found & { readonly rank: number };
  const up = sort === 'count' || sort === 'value' ? 1 : -1;
  const compare = (a: Ranked, b: Ranked): number => {
    if (sort === 'count' || sort === '-count') return (a.count - b.count) * up || a.rank - b.rank;
    const [x, y] = [a.values[0] === null, b.values[0] === null];
    return Number(x) - Number(y) || (a.rank - b.rank) * up;
  };
  const wanted = offset + limit;
  let best: Ranked[] = [];
  let total = 0;
  for await (const met of walkValues(db, collection, columnOf(collection, field), members)) {
    for (const { value, count, first } of met)
      best.push({ values: [value], count, first, sums: [], rank: total++ });
    // A column may have a million values, of which a page is wanted.
    if (best.length >= 2 * wanted + SPARE) best = best.sort(compare).slice(0, wanted);
  }
  return { found: best.sort(compare).slice(offset, wanted), total };
}
const SPARE = 10_000;

/** What a record is grouped by, and what its groups are sorted by. */
function groupedBy(field: SummedField): RawBuilder<unknown>[] {
  switch (field.type) {
    case 'text':
      return [sql.ref(valueColumn(field)), sql.ref(foldColumn(field))];
    case 'datetime':
      return [sql.ref(instantColumn(field))];
    default:
      return [sql.ref(valueColumn(field))];
  }
}

type Row = Readonly<Record<string, unknown>>;

/** Selects groups; `readGroup` reads the rows. */
function selection(
  by: readonly SummedField[],
  sums: readonly SummedField[],
  prepared: readonly Sum[],
) {
  const values = by.map((field, i) => sql`${groupedBy(field)[0]} as ${sql.ref(`value_${i}`)}`);
  const added = sums.flatMap((field, i) => [
    sql`count(${sql.ref(valueColumn(field))}) as ${sql.ref(`filled_${i}`)}`,
    ...(prepared[i]?.aggregates ?? []).map(
      (aggregate, part) => sql`${aggregate} as ${sql.ref(`sum_${i}_${part}`)}`,
    ),
  ]);
  return sql.join([...values, sql`count(*) as count`, sql`min(_id) as first`, ...added]);
}

function readGroup(by: readonly SummedField[], sums: readonly Sum[], row: Row): Found {
  return {
    values: by.map((_, i) => stored(row[`value_${i}`])),
    count: Number(row['count']),
    first: Number(row['first']),
    sums: sums.map((sum, i) => ({
      units: sum.total(sum.aggregates.map((_, part) => row[`sum_${i}_${part}`])),
      count: Number(row[`filled_${i}`]),
    })),
  };
}

function stored(value: unknown): Stored {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null;
}

/** SQLite, by looking at the records. */
async function byPieces(
  db: Transaction,
  selected: Selection,
  { by, sums, sort, limit, offset }: Grouping,
  prepared: readonly Sum[],
): Promise<Slice> {
  const groups = new Map<string, Found>();
  const table = sql.table(tableName(selected.collection));
  const grouped = sql.join(by.map((field) => groupedBy(field)[0]));
  for await (const ids of pieces(db, selected)) {
    const { rows } = await sql<Row>`
      select ${selection(by, sums, prepared)}
      from ${idRows(ids)} as one cross join ${table} on _id = one.value group by ${grouped}`.execute(
      db.k,
    );
    for (const row of rows) {
      const piece = readGroup(by, prepared, row);
      const key = JSON.stringify(piece.values);
      const group = groups.get(key);
      if (group) join(group, piece);
      else groups.set(key, piece);
    }
  }
  const sorted = sortGroups([...groups.values()], by, sort);
  return { found: sorted.slice(offset, offset + limit), total: sorted.length };
}

function join(group: Found, piece: Found): void {
  group.count += piece.count;
  group.first = Math.min(group.first, piece.first);
  for (const [i, sum] of group.sums.entries()) {
    sum.units += piece.sums[i]?.units ?? 0n;
    sum.count += piece.sums[i]?.count ?? 0;
  }
}

function sortGroups(
  groups: readonly Found[],
  by: readonly SummedField[],
  sort: Grouping['sort'],
): Found[] {
  const down = sort === '-value' ? -1 : 1;
  const places = groups.map((group) => ({
    group,
    folded: by.map(({ type }, i) => (type === 'text' ? fold(String(group.values[i])) : '')),
  }));
  type Placed = (typeof places)[number];
  const byValue = (a: Placed, b: Placed): number => {
    for (const i of by.keys()) {
      const [x, y] = [a.group.values[i] ?? null, b.group.values[i] ?? null];
      if (x === y) continue;
      if (x === null || y === null) return x === null ? 1 : -1;
      const order =
        typeof x === 'string' && typeof y === 'string'
          ? compareCodePoints(a.folded[i] ?? '', b.folded[i] ?? '') || compareCodePoints(x, y)
          : Number(x) - Number(y);
      if (order !== 0) return order * down;
    }
    return 0;
  };
  const byCount = sort === 'count' ? 1 : sort === '-count' ? -1 : 0;
  return places
    .sort((a, b) => (a.group.count - b.group.count) * byCount || byValue(a, b))
    .map(({ group }) => group);
}

/** PostgreSQL */
async function byStatement(
  db: Transaction,
  { collection, tests }: Selection,
  { by, sums, sort, limit, offset, withTotal }: Grouping,
  prepared: readonly Sum[],
): Promise<Slice> {
  const down = sort === '-value' ? sql` desc nulls last` : sql` nulls last`;
  // Texts sort by their folded form first.
  const values = by.flatMap((field) => groupedBy(field).toReversed());
  const order = [
    ...(sort === 'count' ? [sql`count(*)`] : sort === '-count' ? [sql`count(*) desc`] : []),
    ...values.map((value) => sql`${value}${down}`),
  ];
  const from = sql`from ${sql.table(tableName(collection))} where ${allOf(tests)} group by ${sql.join(values)}`;
  const { rows } = await sql<Row>`select ${selection(by, sums, prepared)} ${from}
    order by ${sql.join(order)} limit ${limit} offset ${offset}`.execute(db.k);
  const found = rows.map((row) => readGroup(by, prepared, row));
  if (!withTotal) return { found, total: null };
  const counted = await sql<{ count: number }>`
    select count(*) as count from (select 1 ${from}) as found`.execute(db.k);
  return { found, total: counted.rows[0]?.count ?? 0 };
}
