import { sql } from 'kysely';
import { isText } from '#shared/values/registry.ts';
import { compareCodePoints } from '#shared/values/code-points.ts';
import { fold } from '#shared/values/fold.ts';
import type { Transaction } from '../database.ts';
import type { Sum, SummedField } from '../records/exact-sum.ts';
import {
  completeGroups,
  groupColumns,
  groupedBy,
  parseGroup,
  type FoundGroup,
  type FoundGroups,
  type SqlRow,
} from '../records/groups.ts';
import type { RecordGrouping, RecordGroups } from '../records/list-reader.ts';
import { columnOf } from '../records/list-column-source.ts';
import { prepareSum } from './sqlite-sums.ts';
import { idChunks, recordsOf, RECORD_BATCH_SIZE } from './id-lists.ts';
import { indexValues } from './index-values.ts';
import type { RecordSelection } from './selection.ts';

/**
 * Counts the records of a selection by their values. Groups of equal counts come in the order of their values; records
 * without a value come last in both directions.
 */
export async function groupRecords(
  db: Transaction,
  selection: RecordSelection,
  grouping: RecordGrouping,
): Promise<RecordGroups> {
  const { collection } = selection;
  const sums: Sum[] = [];
  for (const field of grouping.sums)
    sums.push(await prepareSum(db, collection, field, RECORD_BATCH_SIZE));
  const [first, ...others] = grouping.by;
  const isInIndex = others.length + sums.length === 0 && !selection.isSmall;
  const found =
    first && isInIndex
      ? await groupByIndex(db, selection, first, grouping)
      : await groupByRecords(db, selection, grouping, sums);
  return completeGroups(db, collection, grouping, sums, found);
}

/** Groups by the index of the single column, without reading records. */
async function groupByIndex(
  db: Transaction,
  { collection, members }: RecordSelection,
  field: SummedField,
  { sort, limit, offset }: RecordGrouping,
): Promise<FoundGroups> {
  type Ranked = FoundGroup & { readonly rank: number };
  const up = sort === 'count' || sort === 'value' ? 1 : -1;
  const compare = (a: Ranked, b: Ranked): number => {
    if (sort === 'count' || sort === '-count') return (a.count - b.count) * up || a.rank - b.rank;
    const [x, y] = [a.values[0] === null, b.values[0] === null];
    return Number(x) - Number(y) || (a.rank - b.rank) * up;
  };
  const wanted = offset + limit;
  let best: Ranked[] = [];
  let total = 0;
  const column = columnOf(collection, field);
  for await (const values of indexValues(db, collection, column, members)) {
    for (const { value, count, first } of values)
      best.push({ values: [value], count, first, sums: [], rank: total++ });
    // A column may have a million values, of which one page is needed.
    if (best.length >= 2 * wanted + SORT_MARGIN) best = best.sort(compare).slice(0, wanted);
  }
  return { groups: best.sort(compare).slice(offset, wanted), total };
}
/** How many more groups than needed are collected before they are sorted. */
const SORT_MARGIN = 10_000;

/** Groups by reading the records. */
async function groupByRecords(
  db: Transaction,
  { collection, ids }: RecordSelection,
  { by, sums, sort, limit, offset }: RecordGrouping,
  prepared: readonly Sum[],
): Promise<FoundGroups> {
  const groups = new Map<string, FoundGroup>();
  const grouped = sql.join(by.map((field) => groupedBy(field)[0]));
  for await (const chunk of idChunks(await ids())) {
    const { rows } = await sql<SqlRow>`
      select ${groupColumns(by, sums, prepared)}
      from ${recordsOf(collection, chunk)} group by ${grouped}`.execute(db.k);
    for (const row of rows) {
      const piece = parseGroup(by, prepared, row);
      const key = JSON.stringify(piece.values);
      const group = groups.get(key);
      if (group) addGroup(group, piece);
      else groups.set(key, piece);
    }
  }
  const sorted = sortGroups([...groups.values()], by, sort);
  return { groups: sorted.slice(offset, offset + limit), total: sorted.length };
}

function addGroup(group: FoundGroup, piece: FoundGroup): void {
  group.count += piece.count;
  group.first = Math.min(group.first, piece.first);
  for (const [i, sum] of group.sums.entries()) {
    sum.units += piece.sums[i]?.units ?? 0n;
    sum.count += piece.sums[i]?.count ?? 0;
  }
}

function sortGroups(
  groups: readonly FoundGroup[],
  by: readonly SummedField[],
  sort: RecordGrouping['sort'],
): FoundGroup[] {
  const down = sort === '-value' ? -1 : 1;
  const sortable = groups.map((group) => ({
    group,
    folded: by.map((field, i) => (isText(field) ? fold(String(group.values[i])) : '')),
  }));
  type SortableGroup = (typeof sortable)[number];
  const byValue = (a: SortableGroup, b: SortableGroup): number => {
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
  return sortable
    .sort((a, b) => (a.group.count - b.group.count) * byCount || byValue(a, b))
    .map(({ group }) => group);
}
