import { READ_COMMITTED, type Database, type Transaction } from '#server/database/database.ts';
import { AdaptiveSize } from '#server/database/adaptive-size.ts';
import { createCooperativeYield } from '#server/database/cooperative-yield.ts';
import type { FileStore } from '../files/file-store.ts';
import { updateDefinitionJob, type DefinitionJob, type JobChanges } from './job-rows.ts';

/** What a job needs from the process that runs it. */
export interface JobContext {
  readonly database: Database;
  readonly files: FileStore;
  readonly signal: AbortSignal;
  /** Renews the lease within a transaction. @returns undefined if this process no longer has it */
  readonly claim: (db: Transaction) => Promise<DefinitionJob | undefined>;
}

/** The next phase, or the final state of the job; null: another process has the lease now. */
export type JobStep = JobChanges | null;

/** How long a part of a job may block other writes, in milliseconds, and its number of records. */
const PARTS = {
  oneWriter: { targetTime: 8, initialSize: 50, maxSize: 2_000 },
  shared: { targetTime: 100, initialSize: 200, maxSize: 5_000 },
} as const;

/**
 * Runs a phase in parts, each a transaction of about the same duration, and yields to others between them.
 * @param work processes this many records, and returns the changes of the job; a `state`, `phase` or null ends the
 * phase
 */
export async function runInParts(
  { database, claim, signal }: JobContext,
  work: (db: Transaction, job: DefinitionJob, size: number) => Promise<JobStep>,
): Promise<JobStep> {
  const size = new AdaptiveSize(PARTS[database.adapter.isShared ? 'shared' : 'oneWriter']);
  const yieldToOthers = createCooperativeYield(signal);
  while (!signal.aborted) {
    let [started, worked] = [performance.now(), 0];
    const step = await database.write(async (db): Promise<JobStep> => {
      started = performance.now();
      const job = await claim(db);
      if (!job) return null;
      const next = await work(db, job, size.current);
      if (next && Object.keys(next).length > 0) await updateDefinitionJob(db, job.id, next);
      // Without the commit: flushing to a slow disk takes as long for one record as for many.
      worked = performance.now() - started;
      return next;
    }, READ_COMMITTED);
    if (!step || step.state || step.phase) return step;
    size.adapt(worked);
    await yieldToOthers(performance.now() - started, worked);
  }
  return null;
}

/** Stores the changes of a job. */
export async function storeStep(
  { database, claim }: Pick<JobContext, 'database' | 'claim'>,
  step: JobChanges,
): Promise<JobStep> {
  return database.write(async (db) => {
    const job = await claim(db);
    if (!job) return null;
    await updateDefinitionJob(db, job.id, step);
    return step;
  }, READ_COMMITTED);
}
