import * as texts from '#messages/service/system.ts';
import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { BackgroundLoop, UNTIL_WOKEN } from '#server/lib/background-loop.ts';
import { READ_COMMITTED, type Database, type Transaction } from '#server/database/database.ts';
import { withLeaseRenewal } from '#server/database/leases.ts';
import type { WarningLog } from '#server/lib/warning-log.ts';
import type { SystemJobResult } from '#shared/contract/system-jobs.ts';
import type { BackedUp } from '../backups/backup.service.ts';
import { recordSystemHistory } from '../history/history.service.ts';
import { backupPath, createBackupDirectory } from './backup-directory.ts';
import type { SystemJobMessage, SystemJobTask } from './system-job-worker.ts';
import * as store from './system-jobs.store.ts';
import { messageOf } from '#server/lib/caught-errors.ts';
import { threadFile } from '#server/workers/thread-file.ts';

/** Runs the backups and checks that were requested from this process, one after the other, in their own threads. */
export interface SystemJobRunner {
  /** names this process in jobs */
  readonly owner: string;
  /** Called when there is a new job, or one must be cancelled. */
  wake(): void;
  /** Ends the current job. */
  close(): Promise<void>;
}

const WORKER = threadFile(import.meta, './system-job-worker');

type End =
  | { readonly state: 'done'; readonly result: SystemJobResult; readonly error: null }
  | { readonly state: 'failed'; readonly result: null; readonly error: string };

export function runSystemJobs(
  database: Database,
  config: BackedUp,
  log: WarningLog,
): SystemJobRunner {
  const owner = randomUUID();
  let renew = () => Promise.resolve();

  const work = async (job: store.SystemJob, signal: AbortSignal): Promise<void> => {
    let progress: string | null = null;
    let isCancelled = false;
    const path = job.backup === null ? '' : backupPath(config.dataDir, job.backup);
    const { dataDir, databaseUrl, files } = config;
    const task: SystemJobTask = { kind: job.kind, path, config: { dataDir, databaseUrl, files } };
    if (job.kind === 'backup') await createBackupDirectory(dataDir);
    const worker = new Worker(WORKER, { workerData: task, execArgv: [] });
    // It may end before anything else is done.
    const ended = endOf(worker, (text) => {
      progress = text;
    });
    const cancel = () => {
      isCancelled = true;
      // A backup removes its partial file.
      if (job.kind === 'backup') worker.postMessage('cancel');
      else void worker.terminate();
    };
    // Also stores the progress, and detects a cancellation by another process.
    const renewIn = async (db: Transaction) => {
      const isRunning = await store.renewJob(db, job.id, progress);
      if (!isRunning && !isCancelled) cancel();
    };
    renew = () => database.write(renewIn, READ_COMMITTED);
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop);
    try {
      // It may have been cancelled before it started.
      await renew();
      await withLeaseRenewal(database, renewIn, async () => {
        const end = await ended;
        // A process that stops leaves the job, which is then shown as interrupted.
        if (signal.aborted) return;
        await finish(database, job, isCancelled && end.state === 'failed' ? CANCELLED : end);
      });
    } finally {
      renew = () => Promise.resolve();
      await worker.terminate();
      signal.removeEventListener('abort', stop);
    }
  };

  const loop = new BackgroundLoop({
    name: 'a backup or check',
    log,
    firstPause: UNTIL_WOKEN,
    async run(signal) {
      const job = await database.read((db) => store.findJobOf(db, owner));
      if (!job) return UNTIL_WOKEN;
      await work(job, signal);
      return 0;
    },
  });

  return {
    owner,
    wake: () => {
      loop.wake();
      void renew().catch(() => undefined);
    },
    close: () => loop.close(),
  };
}

const CANCELLED = { state: 'cancelled', result: null, error: null } as const;

function finish(
  database: Database,
  job: store.SystemJob,
  end: End | typeof CANCELLED,
): Promise<void> {
  return database.write(async (db) => {
    await store.finishJob(db, job.id, end);
    await recordSystemHistory(db, job.actor, Date.now(), {
      scope: 'system',
      kind: 'create',
      rowId: job.id,
      before: null,
      after: { [job.kind]: job.backup, state: end.state, findings: end.result?.findings },
    });
  });
}

function endOf(worker: Worker, onProgress: (text: string) => void): Promise<End> {
  const failed = (error: string): End => ({ state: 'failed', result: null, error });
  return new Promise((resolve) => {
    worker.on('message', (message: SystemJobMessage) => {
      switch (message.kind) {
        case 'progress':
          return onProgress(message.text);
        case 'done':
          return resolve({ state: 'done', result: message.result, error: null });
        case 'failed':
          return resolve(failed(message.message));
      }
      return message satisfies never;
    });
    worker.on('error', (error) => resolve(failed(messageOf(error))));
    worker.on('exit', () => resolve(failed(texts.endedEarly)));
  });
}
