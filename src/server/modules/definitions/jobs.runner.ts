import { releaseLeases } from '#server/database/leases.ts';
import { randomUUID } from 'node:crypto';
import { BackgroundLoop } from '#server/background-loop.ts';
import type { Database } from '#server/database/database.ts';
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
/** The lease of a job after its last part, in milliseconds; afterwards the process counts as dead. */
export const LEASE = 10_000;
/** How often the lease is renewed during a long part, such as the creation of an index. */
const RENEW_EVERY = 3_000;
/** A job whose part fails this often in succession is stopped. */
const MAX_FAILURES = 5;

/**
 * @param changed called when a definition was changed
 * @param standing `as one of several`: a command, beside which the service may run
 */
export function runDefinitionJobs(
  { database, files }: Pick<JobContext, 'database' | 'files'>,
  log: WarningLog,
  changed: () => void,
  standing: 'alone on SQLite' | 'as one of several' = 'alone on SQLite',
): DefinitionJobRunner {
  const owner = randomUUID();
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  const failed = { id: 0, times: 0 };

  const work = async (id: number, signal: AbortSignal): Promise<void> => {
    const renewal = setInterval(() => {
      const now = Date.now();
      database
        .write((db) => store.claimJob(db, id, owner, now, now + LEASE), 'row locks')
        .catch(() => undefined);
    }, RENEW_EVERY).unref();
    const context: JobContext = {
      database,
      files,
      signal,
      claim: (db) => store.claimJob(db, id, owner, Date.now(), Date.now() + LEASE),
    };
    try {
      while (!signal.aborted) {
        const job = await database.write((db) => context.claim(db), 'row locks');
        if (!job) break;
        const step = await doPhase(context, job);
        failed.times = 0;
        changed();
        if (step?.state && step.state !== 'running') break;
      }
    } finally {
      clearInterval(renewal);
    }
  };

  /** Ends a job after too many failures. */
  const noteFailure = async (id: number): Promise<void> => {
    failed.times = failed.id === id ? failed.times + 1 : 1;
    failed.id = id;
    if (failed.times < MAX_FAILURES) return;
    await database.write((db) => store.updateJob(db, id, { state: 'failed', error: 'internal' }));
  };

  let prepared: Promise<void> | undefined;
  const prepare = async (): Promise<void> => {
    // A single process uses the database: leases found at its start belong to a process that has ended.
    if (database.adapter.isShared || standing === 'as one of several') return;
    await database.write((db) => releaseLeases(db, 'definition_jobs', null)).catch(() => undefined);
  };

  const loop = new BackgroundLoop({
    name: 'a change of a definition',
    log,
    async run(signal) {
      await (prepared ??= prepare());
      const id = await database.read((db) => store.findOpenJob(db, owner, Date.now()));
      if (id === undefined) return POLL_INTERVAL;
      try {
        await work(id, signal);
      } catch (error) {
        await noteFailure(id);
        throw new Error(`A part of the job ${id} failed.`, { cause: error });
      } finally {
        waiting.get(id)?.resolve();
      }
      return 0;
    },
  });

  return {
    owner,
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
    async close() {
      await loop.close();
      await database
        .write((db) => releaseLeases(db, 'definition_jobs', owner), 'row locks')
        .catch(() => undefined);
    },
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

function doPhase(context: JobContext, job: store.DefinitionJob): Promise<JobStep> {
  const { request } = job;
  return request.kind === 'change'
    ? continueChange(context, job, request)
    : continuePurge(context, job, request.number);
}
