import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadFile } from '#server/workers/thread-file.ts';

/** The data that an index thread starts with. */
export interface IndexThreadData {
  /** the database file */
  readonly path: string;
  /** a statement that reads what the indexes are made of */
  readonly warmUp: string;
}

const WORKER_FILE = threadFile(import.meta, './index-worker');

/**
 * A thread that creates indexes of one table: SQLite computes in the calling thread, and reads all rows for an index. The
 * thread first reads them without a lock, so that their pages are in the system's memory when others have to wait.
 */
export class IndexThread {
  readonly #worker: Worker;
  /** resolves when the thread has ended; rejects with the error that ended it */
  readonly #ended: Promise<void>;

  private constructor(data: IndexThreadData) {
    // The arguments that the service was started with, such as a loader, are not passed to this thread.
    this.#worker = new Worker(WORKER_FILE, { workerData: data, execArgv: [] });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#worker.on('error', reject);
    this.#worker.on('exit', () => resolve());
    // It may fail while nobody waits for it.
    promise.catch(() => undefined);
    this.#ended = promise;
  }

  /** Resolves when the rows are in memory. @throws the error of SQLite */
  static async start(data: IndexThreadData): Promise<IndexThread> {
    const thread = new IndexThread(data);
    try {
      await thread.#message();
      return thread;
    } catch (error) {
      await thread.end();
      throw error;
    }
  }

  /**
   * Creates an index; nobody else may write meanwhile (`WriteQueue.runExternal`).
   * @throws the error of SQLite; the index is then missing, and the thread has ended
   */
  async create(statement: string): Promise<void> {
    this.#worker.postMessage(statement);
    await this.#message();
  }

  async end(): Promise<void> {
    this.#worker.postMessage(null);
    await this.#ended.catch(() => undefined);
  }

  /** Resolves with the next message of the thread. */
  async #message(): Promise<void> {
    const ended = this.#ended.then(() => {
      throw new Error('The thread that creates indexes ended early.');
    });
    await Promise.race([once(this.#worker, 'message'), ended]);
  }
}
