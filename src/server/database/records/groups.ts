import { isText, valueType } from '#shared/values/registry.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../database.ts';
import type { Collection } from './collection.ts';
import {
  comparedColumn,
  foldColumn,
  fromStored,
  valueColumn,
  type ColumnValue,
} from './columns.ts';
import type { Sum, SummedField } from './exact-sum.ts';
import type { RecordGrouping, RecordGroups } from './list-reader.ts';
import { readRecords } from './read-records.ts';

/** A group with values as stored in the database. */
export interface FoundGroup {
  /** as `groupedBy` selects them */
  readonly values: readonly ColumnValue[];
  count: number;
  /** the lowest id */
  first: number;
  readonly sums: { units: bigint; count: number }[];
}

/** A page of groups, and how many groups there are. */
export interface FoundGroups {
  readonly groups: readonly FoundGroup[];
  readonly total: number | null;
}

/** Converts the values of groups to field values; a date-time or time is that of the first record of its group. */
export async function completeGroups(
  db: Transaction,
  collection: Collection,
  { by, withTotal }: RecordGrouping,
  sums: readonly Sum[],
  found: FoundGroups,
): Promise<RecordGroups> {
  const fieldIndexes = by.map((field) =>
    collection.fields.findIndex(({ number }) => number === field.number),
  );
  const firstIds = by.some(hasOtherForms) ? found.groups.map(({ first }) => first) : [];
  const records = await readRecords(db, collection, firstIds);
  const groups = found.groups.map((group) => ({
    count: group.count,
    values: by.map((field, i) =>
      hasOtherForms(field)
        ? (records.get(group.first)?.values[fieldIndexes[i] ?? -1] ?? null)
        : fromStored(field, group.values[i]),
    ),
    sums: sums.map(({ scale }, i) => {
      const { units = 0n, count = 0 } = group.sums[i] ?? {};
      return count === 0 ? null : { units, scale };
    }),
  }));
  return { groups, total: withTotal ? found.total : null };
}

/** Whether equal values may have different notations. */
function hasOtherForms({ type }: SummedField): boolean {
  return valueType(type).comparison.by === 'number';
}

/** The expressions by which records are grouped, followed by the others by which groups are sorted. */
export function groupedBy(field: SummedField): RawBuilder<unknown>[] {
  const compared = sql.ref(comparedColumn(field));
  return isText(field) ? [compared, sql.ref(foldColumn(field))] : [compared];
}

export type SqlRow = Readonly<Record<string, unknown>>;

/** The columns of a group; `parseGroup` parses them. */
export function groupColumns(
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

/** Parses a group from a row of `groupColumns`. */
export function parseGroup(
  by: readonly SummedField[],
  sums: readonly Sum[],
  row: SqlRow,
): FoundGroup {
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

function stored(value: unknown): ColumnValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null;
}
