import { sql } from 'kysely';
import { READ_COMMITTED, type Database, type Transaction } from './database.ts';

/** How long a lease lasts, in milliseconds; after it has expired, another process may take it. */
export const LEASE_DURATION = 10_000;

/** The lease columns of a row that no process works on. */
export const NO_LEASE = { lease_owner: null, lease_until: 0 } as const;

/** The lease columns of a row that a process works on. @param duration in milliseconds */
export function leaseOf(owner: string, duration = LEASE_DURATION) {
  return { lease_owner: owner, lease_until: Date.now() + duration };
}

/** The tables of jobs, and the states of jobs that can run. */
const RUNNABLE = {
  bulk_edits: ['applying', 'undoing'],
  definition_jobs: ['running', 'cancelling'],
} as const;
export type JobTable = keyof typeof RUNNABLE;

/** The condition for rows that no process has leased, or with an expired lease. */
export function isUnleased() {
  return sql<boolean>`(lease_owner is null or lease_until < ${Date.now()})`;
}

/** The condition for rows that a process may work on: unleased ones and its own. */
export function isAvailableTo(owner: string) {
  return sql<boolean>`(lease_owner = ${owner} or ${isUnleased()})`;
}

/** The id of the oldest job that can run and is not leased by another process. */
export async function findJob(
  db: Transaction,
  table: JobTable,
  owner: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where ${isRunnable(table)} and ${isAvailableTo(owner)}
    order by id limit 1`.execute(db.k);
  return rows[0]?.id;
}

/**
 * Takes or renews the lease of a job.
 * @param duration in milliseconds
 * @returns its row; undefined if it is paused or finished, or another process has the lease
 */
export async function claimJob<Row>(
  db: Transaction,
  table: JobTable,
  id: number,
  owner: string,
  duration = LEASE_DURATION,
): Promise<Row | undefined> {
  const { lease_until } = leaseOf(owner, duration);
  const { rows } = await sql<Row>`
    update ${sql.table(table)} set lease_owner = ${owner}, lease_until = ${lease_until}
    where id = ${id} and ${isRunnable(table)} and ${isAvailableTo(owner)} returning *`.execute(
    db.k,
  );
  return rows[0];
}

function isRunnable(table: JobTable) {
  return sql<boolean>`state in (${sql.join([...RUNNABLE[table]])})`;
}

/**
 * Releases the leases in a table, so that another process can continue at once.
 * @param owner null: of all processes, if there can be no other
 */
export async function releaseLeases(
  db: Transaction,
  table: JobTable | 'check_worker' | 'file_texts',
  owner: string | null,
): Promise<void> {
  const isOwn = owner === null ? sql`lease_owner is not null` : sql`lease_owner = ${owner}`;
  // Only texts in this state have leases; an index finds them among those of all files.
  const isFound = table === 'file_texts' ? sql`state = 'due' and ${isOwn}` : isOwn;
  await sql`update ${sql.table(table)} set lease_owner = null, lease_until = 0
    where ${isFound}`.execute(db.k);
}

/** Renews a lease repeatedly while `work` runs, however long that takes. */
export async function withLeaseRenewal<T>(
  database: Database,
  renew: (db: Transaction) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => {
    database.write(renew, READ_COMMITTED).catch(() => undefined);
  }, LEASE_DURATION / 3).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
