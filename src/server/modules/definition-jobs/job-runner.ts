import { withLeaseRenewal } from '#server/database/leases.ts';
import { JobLoop } from '#server/database/job-loop.ts';
import { READ_COMMITTED, type Transaction } from '#server/database/database.ts';
import type { WarningLog } from '#server/lib/warning-log.ts';
import type { JobContext, JobStep } from './job-context.ts';
import * as store from './job-rows.ts';
import type { DefinitionJob } from './job-rows.ts';

/** Runs the jobs that change definitions in the background, one after the other. */
export interface DefinitionJobRunner {
  /** names this process in the leases of jobs */
  readonly owner: string;
  /** Called when there may be a new job. */
  wake(): void;
  /**
   * Waits for the end of a job that this process has started, at most for `maxWait` of its runner; failed parts are repeated
   * meanwhile.
   * @returns the job, unless it is done
   */
  waitForEnd(id: number): Promise<DefinitionJob | null>;
  /** Resolves when the current part is done. Another process, or the next start, continues the job. */
  close(): Promise<void>;
}

/** The polling interval of the runner, in milliseconds. */
const POLL_INTERVAL = 2_000;

interface RunnerOptions {
  readonly log: WarningLog;
  /** Does one phase of a job, or a part of it. */
  readonly runPhase: (context: JobContext, job: DefinitionJob) => Promise<JobStep>;
  /** Called when a definition may have changed. */
  readonly onChange: () => void;
  /** false: a command, beside which the service may run */
  readonly isOnlyProcess: boolean;
  /** how long the end of a job is awaited, in milliseconds */
  readonly maxWait: number;
}

/** Starts the loop that runs jobs which change definitions, in this process. The caller closes it. */
export function openJobRunner(
  { database, files }: Pick<JobContext, 'database' | 'files'>,
  { log, runPhase, onChange, isOnlyProcess, maxWait }: RunnerOptions,
): DefinitionJobRunner {
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  const loop = new JobLoop({
    name: 'a change of a definition',
    log,
    database,
    table: 'definition_jobs',
    isOnlyProcess,
    async work(id, signal, onProgress) {
      const claim = (db: Transaction) => store.claimDefinitionJob(db, id, loop.owner);
      const context: JobContext = { database, files, signal, claim };
      await withLeaseRenewal(database, claim, async () => {
        while (!signal.aborted) {
          const job = await database.write(claim, READ_COMMITTED);
          if (!job) return;
          const step = await runPhase(context, job);
          onProgress();
          onChange();
          if (step?.state && step.state !== 'running') return;
        }
      });
    },
    stop: (id) => database.write((db) => store.stopDefinitionJob(db, id)),
    onEnd: (id) => waiting.get(id)?.resolve(),
    onIdle: () => Promise.resolve(POLL_INTERVAL),
  });
  return {
    owner: loop.owner,
    wake: () => loop.wake(),
    async waitForEnd(id) {
      const deadline = performance.now() + maxWait;
      for (;;) {
        const ended = Promise.withResolvers<void>();
        waiting.set(id, ended);
        loop.wake();
        // The loop's timers let the process end; a command waits here for as long as its job takes. Another process may
        // continue the job.
        const pause = Math.min(deadline - performance.now(), POLL_INTERVAL);
        const timer = setTimeout(ended.resolve, pause);
        await ended.promise;
        clearTimeout(timer);
        waiting.delete(id);
        const job = await database.read((db) => store.readDefinitionJob(db, id));
        if (!job || job.state === 'done') return null;
        if (!store.isActive(job) || performance.now() >= deadline) return job;
      }
    },
    close: () => loop.close(),
  };
}
