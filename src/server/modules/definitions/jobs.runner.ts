import { withLeaseRenewal } from '#server/database/leases.ts';
import { JobLoop } from '#server/job-loop.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { WarningLog } from '#server/warning-log.ts';
import { continuePurge } from '../purges/purge-job.ts';
import { continueChange } from './change-job.ts';
import type { JobContext, JobStep } from './job-context.ts';
import * as store from './jobs.store.ts';

/** Runs the jobs that change definitions in the background, one after the other. */
export interface DefinitionJobRunner {
  /** names this process in the leases of jobs */
  readonly owner: string;
  /** Called when there may be a new job. */
  wake(): void;
  /** Resolves when a job of this process has ended, or after the timeout. */
  waitForEnd(id: number, timeout: number): Promise<void>;
  /** Resolves when the current part is done. Another process, or the next start, continues the job. */
  close(): Promise<void>;
}

/** The polling interval of the runner, in milliseconds. */
const POLL_INTERVAL = 2_000;

/**
 * @param onChange called when a definition was changed
 * @param isOnlyProcess false: a command, beside which the service may run
 */
export function runDefinitionJobs(
  { database, files }: Pick<JobContext, 'database' | 'files'>,
  log: WarningLog,
  onChange: () => void,
  isOnlyProcess = !database.adapter.isShared,
): DefinitionJobRunner {
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  const loop = new JobLoop({
    name: 'a change of a definition',
    log,
    database,
    table: 'definition_jobs',
    isOnlyProcess,
    async work(id, signal, onProgress) {
      const claim = (db: Transaction) => store.claimJob(db, id, loop.owner);
      const context: JobContext = { database, files, signal, claim };
      await withLeaseRenewal(database, claim, async () => {
        while (!signal.aborted) {
          const job = await database.write(claim, 'read committed');
          if (!job) return;
          const step = await runPhase(context, job);
          onProgress();
          onChange();
          if (step?.state && step.state !== 'running') return;
        }
      });
    },
    stop: (id) =>
      database.write((db) => store.updateJob(db, id, { state: 'failed', error: 'internal' })),
    onEnd: (id) => waiting.get(id)?.resolve(),
    onIdle: () => Promise.resolve(POLL_INTERVAL),
  });
  return {
    owner: loop.owner,
    wake: () => loop.wake(),
    async waitForEnd(id, timeout) {
      const done = Promise.withResolvers<void>();
      waiting.set(id, done);
      loop.wake();
      const timer = Number.isFinite(timeout) ? setTimeout(done.resolve, timeout) : undefined;
      await done.promise;
      clearTimeout(timer);
      waiting.delete(id);
    },
    close: () => loop.close(),
  };
}

/** How long a call waits for its job, in milliseconds; then it answers with the job. */
export const MAX_WAIT = 2_000;

/**
 * Waits for the end of a job of this process.
 * @param maxWait in milliseconds
 * @returns the job, unless it is finished
 */
export async function waitForJob(
  database: Database,
  runner: DefinitionJobRunner,
  id: number,
  maxWait: number,
): Promise<store.DefinitionJob | null> {
  await runner.waitForEnd(id, maxWait);
  const job = await database.read((db) => store.readJob(db, id));
  return !job || job.state === 'done' ? null : job;
}

function runPhase(context: JobContext, job: store.DefinitionJob): Promise<JobStep> {
  const { request } = job;
  return request.kind === 'change'
    ? continueChange(context, job, request)
    : continuePurge(context, job, request.number);
}
