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
  const ended = endOf(worker);
  try {
    const [message] = await Promise.race([once(worker, 'message'), ended.then(() => [])]);
    if (message === undefined) throw new Error('The thread that creates an index ended early.');
    await runExternal(async () => {
      worker.postMessage('create');
      await ended;
    });
  } finally {
    await worker.terminate();
  }
}

/** Resolves when the thread has done its work and ended; rejects with the error that ended it. */
function endOf(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.on('error', reject);
  worker.on('exit', (code) => {
    if (code === 0) resolve();
    else reject(new Error(`The thread that creates an index ended with ${code}.`));
  });
  // It may fail while nobody waits for it.
  promise.catch(() => undefined);
  return promise;
}
