import { parentPort, workerData } from 'node:worker_threads';
import { readBuildInfo } from '#server/build-info.ts';
import { openDatabase } from '#server/database/open-database.ts';
import type { SystemJobKind, SystemJobResult } from '#shared/contract/system-jobs.ts';
import { checkBackup, writeBackup, type BackedUp } from '../backups/backup.service.ts';
import { openFileStore } from '../files/open-file-store.ts';
import { shouldUseThreads, verifyInstallation } from '../verification/verification.service.ts';
import { messageOf } from '#server/lib/caught-errors.ts';

/* The thread in which `system-jobs.runner.ts` creates and checks backups, and verifies the installation: SQLite
   computes in the calling thread. */

/** The task of the thread. */
export interface SystemJobTask {
  readonly kind: SystemJobKind;
  readonly config: BackedUp;
  /** of the backup */
  readonly path: string;
}

export type SystemJobMessage =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'done'; readonly result: SystemJobResult }
  | { readonly kind: 'failed'; readonly message: string };

/** How many findings are stored. */
const MAX_PROBLEMS = 100;
/** Interval between progress messages, in milliseconds. */
const PROGRESS_INTERVAL = 200;

const task: SystemJobTask = workerData;
let lastProgress = Number.NEGATIVE_INFINITY;
let isCancelled = false;
parentPort?.once('message', () => {
  isCancelled = true;
});

const send = (message: SystemJobMessage) => {
  parentPort?.postMessage(message);
};
const progress = (text: string) => {
  // Thrown here, so that partial results are removed.
  if (isCancelled) throw new Error('The job was cancelled.');
  if (performance.now() - lastProgress < PROGRESS_INTERVAL) return;
  lastProgress = performance.now();
  send({ kind: 'progress', text });
};

async function work({ kind, config, path }: SystemJobTask): Promise<SystemJobResult> {
  const ignore = () => undefined;
  switch (kind) {
    case 'backup': {
      const report = { progress, info: ignore, warn: ignore, fail: ignore };
      const { version } = readBuildInfo();
      const { files, bytes, bad } = await writeBackup(config, path, version, report);
      return { files, bytes, missing: bad.length };
    }
    case 'backup-check': {
      const { files, bytes, missing } = await checkBackup(path, progress);
      return { files, bytes, missing: missing.length };
    }
    case 'verification': {
      const [parts, problems]: [string[], string[]] = [[], []];
      const report = {
        progress,
        info: (line: string) => void parts.push(line),
        fail: (line: string) => {
          if (problems.length < MAX_PROBLEMS) problems.push(line);
        },
      };
      const database = await openDatabase(config, { access: 'read' });
      try {
        const usesThreads = await shouldUseThreads(database);
        const options = { contents: false, deep: false, since: null, usesThreads };
        const files = openFileStore(config);
        const findings = await verifyInstallation(database, config, files, options, report);
        return { findings, problems, parts };
      } finally {
        await database.close();
      }
    }
  }
  return kind satisfies never;
}

try {
  send({ kind: 'done', result: await work(task) });
} catch (error) {
  send({ kind: 'failed', message: messageOf(error) });
} finally {
  parentPort?.close();
}
