import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import { findingSql, ruleSetting } from '#server/database/records/check-conditions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import { parametersOf } from '#server/database/records/statement-parameters.ts';
import { integerAt, textAt } from '#server/database/row-values.ts';
import { recordRanges } from './record-ranges.ts';

/** The records that a rule finds, in their order. */
export async function findFailingRecords(
  db: Transaction,
  collection: Collection,
  check: Check,
): Promise<number[]> {
  const test = findingSql(db, collection, check, ruleSetting(collection, [check]));
  const id = sql.ref(`${tableName(collection)}._id`);
  const found: number[] = [];
  for await (const range of recordRanges(db, collection)) {
    const { rows } = await sql<{ id: number }>`
      select ${id} as id from ${sql.table(tableName(collection))}
      where ${range} and ${test} order by ${id}`.execute(db.k);
    for (const row of rows) found.push(row.id);
  }
  return found;
}

/** Which of some records rules find, in one statement. @returns by the name of the check */
export async function findFailingAmong(
  db: Transaction,
  collection: Collection,
  checks: readonly Check[],
  ids: readonly number[],
): Promise<Map<string, number[]>> {
  const found = new Map(checks.map(({ name }) => [name, new Array<number>()]));
  if (checks.length === 0) return found;
  const setting = ruleSetting(collection, checks);
  const columns = checks.map((check) => {
    const test = findingSql(db, collection, check, setting);
    return sql`cast(case when ${test} then 1 else 0 end as text)`;
  });
  const id = sql.ref(`${tableName(collection)}._id`);
  const query = sql`select ${id}, ${sql.join(columns, sql` || `)}
    from ${sql.table(tableName(collection))} where ${id} ${db.adapter.isAmong(ids)}`;
  // `run` prepares it: PostgreSQL needs several times as long to plan all rules as to evaluate them.
  const rows = await db.run(
    { owner: query, name: '', build: () => query },
    parametersOf(db, query),
  );
  for (const row of rows) {
    const results = textAt(row, 1);
    for (const [index, { name }] of checks.entries()) {
      if (results[index] === '1') found.get(name)?.push(integerAt(row, 0));
    }
  }
  return found;
}
