import { sql } from 'kysely';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Transaction } from '#server/database/database.ts';
import { insertRows } from '#server/database/records/bulk-statements.ts';
import type { Check, CheckMeasure } from '#server/database/records/check.ts';
import {
  measuredGroup,
  newestRevisionTests,
  ruleSetting,
} from '#server/database/records/check-conditions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName, valueColumn, type ColumnValue } from '#server/database/records/columns.ts';
import { allOf } from '#server/database/records/comparisons.ts';

/** The measures of `_future` and `_outlier`: field, group of records (`measuredGroup`), bounds. */
type Measure = readonly [field: number, value: string, low: string | null, high: string | null];

/** In a field with at most this share of dates after today, such a date is a finding. */
const MAX_FUTURE_SHARE = 0.01;
/** Fewer records with the same value do not define a typical number. */
const MIN_GROUP_SIZE = 20;
/** The factor above or below the median from which a number is unusual. */
const OUTLIER_FACTOR = 10;

/** Whether a check compares with medians or shares. */
export function isMeasured({ parts }: Check): boolean {
  return parts.some(({ measure }) => measure && measure.kind !== 'page');
}

/** Computes the medians and shares of a check from the newest revisions of an archive, or the records of a table. */
export async function computeMeasures(
  db: Transaction,
  collection: Collection,
  { parts, lookups }: Check,
): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const { rule, measure } of parts) {
    if (measure?.kind === 'outlier')
      measures.push(...(await computeBounds(db, collection, measure)));
    if (measure?.kind !== 'future' || !rule) continue;
    const truth = db.adapter.ruleTruth(collection, rule, ruleSetting(collection, [{ lookups }]));
    const { rows } = await sql<{ filled: number; future: number }>`
      select cast(count(${sql.ref(valueColumn({ number: measure.field }))}) as integer) as filled,
        cast(coalesce(sum(case when ${truth} is false then 1 else 0 end), 0) as integer) as future
      from ${sql.table(tableName(collection))} where ${allOf(newestRevisionTests(collection))}`.execute(
      db.k,
    );
    const { filled = 0, future = 0 } = rows[0] ?? {};
    // A field without dates does not show whether dates after today are usual.
    if (filled > 0 && future <= filled * MAX_FUTURE_SHARE)
      measures.push([measure.field, '', null, null]);
  }
  return measures;
}

async function computeBounds(
  db: Transaction,
  collection: Collection,
  { field, group }: Extract<CheckMeasure, { kind: 'outlier' }>,
): Promise<Measure[]> {
  const [number, other] = [field, group].map((one) => sql.ref(valueColumn({ number: one })));
  const tests = [
    sql<boolean>`${number} is not null`,
    sql<boolean>`${db.adapter.asText(sql`${other}`)} <> ''`,
    ...newestRevisionTests(collection),
  ];
  const { rows } = await sql<{ value: string; number: number }>`
    select ${measuredGroup(db, collection, group)} as value, ${number} as number
    from ${sql.table(tableName(collection))} where ${allOf(tests)}`.execute(db.k);
  const numbers = new Map<string, number[]>();
  for (const [i, row] of rows.entries()) {
    if (i % 10_000 === 9_999) await yieldToEventLoop();
    const known = numbers.get(row.value);
    if (known) known.push(row.number);
    else numbers.set(row.value, [row.number]);
  }
  return [...numbers].flatMap(([value, all]): Measure[] => {
    const median = all.length < MIN_GROUP_SIZE ? 0 : medianOf(all);
    if (median === 0) return [];
    const bounds = [
      decimalOf(median / OUTLIER_FACTOR),
      decimalOf(median * OUTLIER_FACTOR),
    ] as const;
    const [low, high] = median > 0 ? bounds : ([bounds[1], bounds[0]] as const);
    return [[field, value, low, high]];
  });
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? 0;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? 0)) / 2 : upper;
}

/** As decimal text, without floating-point noise. */
function decimalOf(number: number): string {
  return String(Number(number.toPrecision(15)));
}

/** Replaces the stored measures of the fields of a check. */
export async function writeMeasures(
  db: Transaction,
  { kind, id }: Collection,
  { parts }: Check,
  measures: readonly Measure[],
): Promise<void> {
  const fields = parts.flatMap(({ measure }) => measure?.field ?? []);
  await db.k
    .deleteFrom('check_measures')
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where('field', 'in', fields)
    .execute();
  const columns = ['scope', 'thing_id', 'field', 'value', 'low', 'high'];
  const rows = new Map<string, ColumnValue[]>();
  for (const measure of measures) rows.set(`${measure[0]} ${measure[1]}`, [kind, id, ...measure]);
  await insertRows(db, 'check_measures', columns, [...rows.values()]);
}
