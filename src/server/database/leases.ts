import { sql } from 'kysely';
import type { Transaction } from './database.ts';

/** The lease columns of a row that no process works on. */
export const NO_LEASE = { lease_owner: null, lease_until: 0 } as const;

/**
 * The condition for rows that a process may work on: without a lease, with an expired lease, or with its own.
 * @param now milliseconds since 1970 UTC
 */
export function isFreeFor(owner: string, now: number) {
  return sql<boolean>`(lease_owner is null or lease_owner = ${owner} or lease_until < ${now})`;
}

/**
 * Releases the leases in a table, so that another process can continue at once.
 * @param owner null: of all processes, if there can be no other
 */
export async function releaseLeases(
  db: Transaction,
  table: 'bulk_edits' | 'definition_jobs' | 'check_worker',
  owner: string | null,
): Promise<void> {
  const isOwn = owner === null ? sql`lease_owner is not null` : sql`lease_owner = ${owner}`;
  await sql`update ${sql.table(table)} set lease_owner = null, lease_until = 0 where ${isOwn}`.execute(
    db.k,
  );
}
