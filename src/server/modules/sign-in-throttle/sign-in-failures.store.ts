import type { Transaction } from '#server/database/database.ts';

/** The number of failed sign-ins, and the time of the last one (milliseconds since 1970 UTC). */
export interface FailureCount {
  readonly failures: number;
  readonly lastAt: number;
}

export async function readFailures(
  db: Transaction,
  keys: readonly string[],
): Promise<Map<string, FailureCount>> {
  const rows = await db.k
    .selectFrom('sign_in_failures')
    .select(['key', 'failures', 'last_at'])
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.key, { failures: row.failures, lastAt: row.last_at }]));
}

export async function writeFailures(
  db: Transaction,
  key: string,
  failures: number,
  now: number,
): Promise<void> {
  await db.k
    .insertInto('sign_in_failures')
    .values({ key, failures, last_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ failures, last_at: now }))
    .execute();
}

export async function deleteFailures(db: Transaction, key: string): Promise<void> {
  await db.k.deleteFrom('sign_in_failures').where('key', '=', key).execute();
}
