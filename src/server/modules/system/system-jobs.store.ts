import type { Selectable } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { LEASE_DURATION } from '#server/database/leases.ts';
import type { SystemJobRow } from '#server/database/tables/job-tables.ts';
import type { SystemJobResult } from '#shared/contract/system-jobs.ts';
import type { Actor } from '../history/history.service.ts';

/** A backup, the check of a backup, or the verification of the installation. */
export type SystemJob = ReturnType<typeof toJob>;

/** Longer than of other jobs, in milliseconds: a renewal can wait behind the creation of an index. */
const LEASE = 2 * LEASE_DURATION;

const ACTIVE = ['running', 'cancelling'] as const;

/** Only this file writes the parsed text. */
function toJob(row: Selectable<SystemJobRow>) {
  const actor: Actor = JSON.parse(row.actor);
  const result: SystemJobResult | null = row.result === null ? null : JSON.parse(row.result);
  const isActive = row.state === 'running' || row.state === 'cancelling';
  return {
    id: row.id,
    kind: row.kind,
    backup: row.backup,
    state: row.state,
    progress: row.progress,
    result,
    error: row.error,
    actor,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    /** whether the process that ran it ended before it was finished */
    isInterrupted: isActive && row.lease_until < Date.now(),
  };
}

function jobs(db: Transaction) {
  return db.k.selectFrom('system_jobs').selectAll();
}

export async function insertSystemJob(
  db: Transaction,
  job: Pick<SystemJob, 'kind' | 'backup' | 'actor'>,
  owner: string,
): Promise<SystemJob> {
  const now = Date.now();
  const row = await db.k
    .insertInto('system_jobs')
    .values({
      kind: job.kind,
      backup: job.backup,
      state: 'running',
      actor: JSON.stringify(job.actor),
      created_at: now,
      owner,
      lease_until: now + LEASE,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toJob(row);
}

/** Renews the lease of a job. @returns false if it must be cancelled, or is finished */
export async function renewJob(
  db: Transaction,
  id: number,
  progress: string | null,
): Promise<boolean> {
  const row = await db.k
    .updateTable('system_jobs')
    .set({ progress, lease_until: Date.now() + LEASE })
    .where('id', '=', id)
    .where('state', 'in', ACTIVE)
    .returning('state')
    .executeTakeFirst();
  return row?.state === 'running';
}

export async function finishJob(
  db: Transaction,
  id: number,
  end: Pick<SystemJob, 'result' | 'error'> & { readonly state: 'done' | 'failed' | 'cancelled' },
): Promise<void> {
  const result = end.result === null ? null : JSON.stringify(end.result);
  await db.k
    .updateTable('system_jobs')
    .set({ ...end, result, progress: null, finished_at: Date.now() })
    .where('id', '=', id)
    .execute();
}

/** Marks a running job for cancellation. */
export async function markCancelling(db: Transaction, id: number): Promise<void> {
  await db.k
    .updateTable('system_jobs')
    .set({ state: 'cancelling' })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

export async function readSystemJob(db: Transaction, id: number): Promise<SystemJob | undefined> {
  const row = await jobs(db).where('id', '=', id).executeTakeFirst();
  return row && toJob(row);
}

/** The oldest unfinished job of a process. */
export async function findJobOf(db: Transaction, owner: string): Promise<SystemJob | undefined> {
  const row = await jobs(db)
    .where('owner', '=', owner)
    .where('state', 'in', ACTIVE)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row && toJob(row);
}

/** The newest jobs first. */
export async function readJobs(db: Transaction, limit: number): Promise<SystemJob[]> {
  const rows = await jobs(db).orderBy('id', 'desc').limit(limit).execute();
  return rows.map(toJob);
}

/** The jobs about backups, newest first. */
export async function readJobsOfBackups(
  db: Transaction,
  names: readonly string[],
): Promise<SystemJob[]> {
  if (names.length === 0) return [];
  const rows = await jobs(db)
    .where('backup', 'in', [...names])
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toJob);
}

/** The newest finished verification. */
export async function readLastVerification(db: Transaction): Promise<SystemJob | undefined> {
  const row = await jobs(db)
    .where('kind', '=', 'verification')
    .where('state', '=', 'done')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toJob(row);
}
