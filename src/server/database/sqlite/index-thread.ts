import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { MissingIndex } from './missing-indexes.ts';

/** What a thread does for an index. */
export interface IndexBuild extends Pick<MissingIndex, 'create' | 'warmUp'> {
  /** the database file */
  readonly path: string;
}

/** Compiled like this module. */
const WORKER_FILE = join(
  import.meta.dirname,
  `../../workers/index-worker${extname(import.meta.filename)}`,
);

/**
 * Creates an index in a thread of its own: SQLite computes in the calling thread, and reads all rows for it. The thread
 * first reads them without a lock, so that their pages are in the system's memory when others have to wait.
 * @param runExternal runs a write on another connection while nobody else writes (`WriteQueue.runExternal`)
 * @throws the error of SQLite; the index is then missing
 */
export async function createIndexInThread(
  build: IndexBuild,
  runExternal: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  // The arguments that the service was started with, such as a loader, are not passed to this thread.
  const worker = new Worker(WORKER_FILE, { workerData: build, execArgv: [] });
  try {
    await once(worker, 'message');
    await runExternal(async () => {
      const end = once(worker, 'exit');
      worker.postMessage('create');
      await end;
    });
  } finally {
    await worker.terminate();
  }
}
