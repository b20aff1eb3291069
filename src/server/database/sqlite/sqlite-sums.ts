import { sql, type RawBuilder } from 'kysely';
import { valueType } from '#shared/values/registry.ts';
import { MAX_SIGNIFICANT_DIGITS } from '#shared/values/plain-numbers.ts';
import type { Transaction } from '../database.ts';
import type { Collection } from '../records/collection.ts';
import { tableName, valueColumn } from '../records/columns.ts';
import { scaleOf, unitsOf, type Sum, type SummedField } from '../records/exact-sum.ts';

/** One aggregate of a sum; its result, a whole number or decimal, times its weight is its share of the units. */
interface Part {
  readonly aggregate: RawBuilder<string | null>;
  readonly weight: bigint;
}

/**
 * Prepares the exact sum of a column. SQLite stores decimals as doubles of at most 15 significant digits. Each is
 * converted to a whole number of the smallest unit that its magnitude allows, and these are added as integers.
 * @param rows how many rows one statement adds at most
 */
export async function prepareSum(
  db: Transaction,
  collection: Collection,
  field: SummedField,
  rows: number,
): Promise<Sum> {
  const scale = scaleOf(field);
  const column = sql.ref(valueColumn(field));
  const largest = await largestOf(db, collection, field);
  const parts =
    valueType(field.type).column === 'decimal'
      ? decimalParts(column, scale, largest, rows)
      : wholeParts(column, 1n, largest, rows);
  return {
    scale,
    aggregates: parts.map(({ aggregate }) => aggregate),
    total: (results) =>
      parts.reduce((sum, { weight }, i) => sum + unitsOf(results[i], 0) * weight, 0n),
  };
}

/** The largest magnitude of a value, from the two ends of its index. */
async function largestOf(
  db: Transaction,
  collection: Collection,
  field: SummedField,
): Promise<number> {
  const [column, table] = [sql.ref(valueColumn(field)), sql.table(tableName(collection))];
  const { rows } = await sql<{ low: number | null; high: number | null }>`
    select (select min(${column}) from ${table}) as low, (select max(${column}) from ${table}) as high`.execute(
    db.k,
  );
  return Math.max(Math.abs(rows[0]?.low ?? 0), Math.abs(rows[0]?.high ?? 0));
}

/** By magnitude: one digit more before the point means one place less after it. */
function decimalParts(
  column: RawBuilder<unknown>,
  scale: number,
  largest: number,
  rows: number,
): Part[] {
  const parts: Part[] = [];
  for (let places = scale; places >= 0; places--) {
    const below = 10 ** (MAX_SIGNIFICANT_DIGITS - places);
    const from = places === scale ? 0 : below / 10;
    if (places < scale && largest < from) break;
    const units = sql`cast(round(${column} * ${sql.lit(10 ** places)}) as integer)`;
    const whole =
      largest < below && places === scale
        ? units
        : sql`case when abs(${column}) >= ${sql.lit(from)} and abs(${column}) < ${sql.lit(below)} then ${units} end`;
    const most = Math.min(largest, below) * 10 ** places;
    parts.push(...wholeParts(whole, 10n ** BigInt(scale - places), most, rows));
  }
  return parts;
}

/** If the sum might not fit into 64 bits, the upper and the lower bits are added separately. */
function wholeParts(
  whole: RawBuilder<unknown>,
  weight: bigint,
  largest: number,
  rows: number,
): Part[] {
  const added = (value: RawBuilder<unknown>) => sql<string | null>`cast(sum(${value}) as text)`;
  if (largest * rows < 2 ** 62) return [{ aggregate: added(whole), weight }];
  return [
    { aggregate: added(sql`(${whole}) >> 26`), weight: weight << 26n },
    { aggregate: added(sql`(${whole}) & 67108863`), weight },
  ];
}
