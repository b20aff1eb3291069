import { hasRule, isText, valueType } from '#shared/values/registry.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Collection } from './collection.ts';
import { comparedColumn, fromStored, valueColumn, type ColumnValue } from './columns.ts';
import type { Sum, SummedField } from './exact-sum.ts';
import type { SqlRow } from './groups.ts';
import type { ColumnStatistics } from './list-reader.ts';
import type { StoredRecord } from './record.ts';

/** Distinct values are counted in up to this many records. */
export const MAX_RECORDS_FOR_DISTINCT = 250_000;

/** The result of one pass over the records for a column. */
export interface Tally {
  readonly filled: number;
  readonly emptyTexts: number;
  /** null: not counted in this pass */
  readonly distinct: number | null;
  /** only of numbers and dates */
  readonly min: ColumnValue;
  readonly max: ColumnValue;
  readonly sumUnits: bigint;
}

export const NO_VALUES: Tally = {
  filled: 0,
  emptyTexts: 0,
  distinct: null,
  min: null,
  max: null,
  sumUnits: 0n,
};

/** An expression that is equal for equal values of a column; null if there is no value. */
export function distinctValue(field: SummedField): RawBuilder<unknown> {
  const column = sql.ref(comparedColumn(field));
  return isText(field) ? sql`nullif(${column}, '')` : column;
}

/** Whether the minimum and maximum can be read from the column itself. */
function hasExtremesInColumn({ type }: SummedField): boolean {
  return valueType(type).comparison.by === 'value' && hasRule(type, 'min');
}

/** The aggregates of all columns in one statement; `readTally` parses the row. */
export function aggregatesOf(
  fields: readonly SummedField[],
  sums: readonly (Sum | null)[],
  distinct: boolean,
): RawBuilder<unknown> {
  const all = fields.flatMap((field, i) => {
    const column = sql.ref(valueColumn(field));
    const text = isText(field);
    const value = distinctValue(field);
    const ordered = hasExtremesInColumn(field);
    const named = (aggregate: RawBuilder<unknown>, name: string) =>
      sql`${aggregate} as ${sql.ref(`${name}_${i}`)}`;
    return [
      named(sql`count(${value})`, 'filled'),
      ...(text ? [named(sql`count(*) filter (where ${column} = '')`, 'empty')] : []),
      ...(distinct ? [named(sql`count(distinct ${value})`, 'distinct')] : []),
      ...(ordered ? [named(sql`min(${column})`, 'min'), named(sql`max(${column})`, 'max')] : []),
      ...(sums[i]?.aggregates ?? []).map((aggregate, part) => named(aggregate, `sum_${part}`)),
    ];
  });
  return sql.join(all);
}

/** Parses a row of `aggregatesOf`. */
export function readTally(row: SqlRow, i: number, sum: Sum | null): Tally {
  const number = (name: string) => Number(row[`${name}_${i}`] ?? 0);
  const extreme = (name: string): ColumnValue => {
    const value = row[`${name}_${i}`];
    return typeof value === 'string' || typeof value === 'number' ? value : null;
  };
  return {
    filled: number('filled'),
    emptyTexts: number('empty'),
    distinct: row[`distinct_${i}`] === undefined ? null : number('distinct'),
    min: extreme('min'),
    max: extreme('max'),
    sumUnits: sum?.total(sum.aggregates.map((_, part) => row[`sum_${part}_${i}`])) ?? 0n,
  };
}

/** Reads the first and the last value of a column in list order, of records of which at least one has a value. */
export type ReadExtremes = (
  field: SummedField,
  emptyTexts: number,
) => Promise<(StoredRecord | undefined)[]>;

/** The statistics of columns, from the results of the passes. */
export async function completeStatistics(
  collection: Collection,
  fields: readonly SummedField[],
  sums: readonly (Sum | null)[],
  tallies: readonly Tally[],
  readExtremes: ReadExtremes,
): Promise<ColumnStatistics[]> {
  const statistics: ColumnStatistics[] = [];
  for (const [i, field] of fields.entries()) {
    const { filled, emptyTexts, distinct, min, max, sumUnits } = tallies[i] ?? NO_VALUES;
    const scale = sums[i]?.scale;
    let extremes = [fromStored(field, min), fromStored(field, max)];
    // The values themselves are read from the records.
    if (valueType(field.type).comparison.by !== 'value') {
      const fieldIndex = collection.fields.findIndex(({ number }) => number === field.number);
      const records = filled === 0 ? [] : await readExtremes(field, emptyTexts);
      extremes = records.map((record) => record?.values[fieldIndex] ?? null);
    }
    statistics.push({
      filled,
      distinct: filled === 0 ? 0 : distinct,
      min: extremes[0] ?? null,
      max: extremes[1] ?? null,
      sum: scale === undefined || filled === 0 ? null : { units: sumUnits, scale },
    });
  }
  return statistics;
}
