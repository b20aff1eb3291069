import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../database.ts';
import type { Collection } from '../records/collection.ts';
import { valueColumn } from '../records/columns.ts';
import { countRows } from '../records/count-rows.ts';
import { scaleOf, unitsOf, type Sum, type SummedField } from '../records/exact-sum.ts';
import {
  completeGroups,
  groupColumns,
  groupedBy,
  parseGroup,
  type SqlRow,
} from '../records/groups.ts';
import type { RecordGrouping, RecordGroups } from '../records/list-reader.ts';

/** Counts records by their values, in one statement; records without a value come last in both directions. */
export async function groupRecords(
  db: Transaction,
  collection: Collection,
  matching: RawBuilder<unknown>,
  grouping: RecordGrouping,
): Promise<RecordGroups> {
  const { by, sums, sort, limit, offset, withTotal } = grouping;
  const prepared = sums.map(sumOf);
  const down = sort === '-value' ? sql` desc nulls last` : sql` nulls last`;
  // Texts sort by their folded form first.
  const values = by.flatMap((field) => groupedBy(field).toReversed());
  const order = [
    ...(sort === 'count' ? [sql`count(*)`] : sort === '-count' ? [sql`count(*) desc`] : []),
    ...values.map((value) => sql`${value}${down}`),
  ];
  const from = sql`from ${matching} group by ${sql.join(values)}`;
  const { rows } = await sql<SqlRow>`select ${groupColumns(by, sums, prepared)} ${from}
    order by ${sql.join(order)} limit ${limit} offset ${offset}`.execute(db.k);
  const groups = rows.map((row) => parseGroup(by, prepared, row));
  const total = withTotal ? await countRows(db, sql`(select 1 ${from}) as found`) : null;
  return completeGroups(db, collection, grouping, prepared, { groups, total });
}

/** PostgreSQL adds decimals without rounding. */
export function sumOf(field: SummedField): Sum {
  const scale = scaleOf(field);
  const aggregate = sql<string | null>`sum(${sql.ref(valueColumn(field))})::text`;
  return { scale, aggregates: [aggregate], total: ([text]) => unitsOf(text, scale) };
}
