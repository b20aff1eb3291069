import { sql, type RawBuilder } from 'kysely';
import { isNumber } from '#shared/values/registry.ts';
import type { Transaction } from '../database.ts';
import type { Collection } from '../records/collection.ts';
import {
  aggregatesOf,
  completeStatistics,
  MAX_RECORDS_FOR_DISTINCT,
  readTally,
  type ReadExtremes,
} from '../records/column-statistics.ts';
import type { ColumnStatistics } from '../records/list-reader.ts';
import type { SummedField } from '../records/exact-sum.ts';
import type { SqlRow } from '../records/groups.ts';
import { sumOf } from './postgres-groups.ts';

/** The records of which statistics are read. */
interface RecordSelection {
  readonly collection: Collection;
  /** the table with the condition on its records */
  readonly matching: RawBuilder<unknown>;
  readonly count: number;
}

/**
 * Reads the statistics of columns in records, in one statement, except for the minimum and maximum of texts and
 * date-times.
 */
export async function readColumnStatistics(
  db: Transaction,
  { collection, matching, count }: RecordSelection,
  fields: readonly SummedField[],
  readExtremes: ReadExtremes,
): Promise<ColumnStatistics[]> {
  if (fields.length === 0) return [];
  const sums = fields.map((field) => (isNumber(field) ? sumOf(field) : null));
  const { rows } = await sql<SqlRow>`
    select ${aggregatesOf(fields, sums, count <= MAX_RECORDS_FOR_DISTINCT)} from ${matching}`.execute(
    db.k,
  );
  const tallies = fields.map((_, i) => readTally(rows[0] ?? {}, i, sums[i] ?? null));
  return completeStatistics(collection, fields, sums, tallies, readExtremes);
}
