import { randomUUID } from 'node:crypto';
import { BackgroundLoop } from '#server/lib/background-loop.ts';
import { READ_COMMITTED, type Database } from './database.ts';
import { findJob, releaseLeases, type JobTable } from './leases.ts';
import type { WarningLog } from '#server/lib/warning-log.ts';

/** A job of which parts fail this often in succession is stopped. */
const MAX_FAILURES = 5;

interface Options {
  /** of the loop, for the log */
  readonly name: string;
  readonly log: WarningLog;
  readonly database: Database;
  readonly table: JobTable;
  /** whether no other process can work on jobs: leases that are found at the start belong to a process that has ended */
  readonly isOnlyProcess: boolean;
  /**
   * Works on a job until it is finished, paused or leased by another process.
   * @param onProgress to be called after each part
   */
  readonly work: (id: number, signal: AbortSignal, onProgress: () => void) => Promise<void>;
  /** Ends a job after too many failures, or lets it only remove what it has done. */
  readonly stop: (id: number) => Promise<void>;
  /** Called when the work on a job has ended, or failed. */
  readonly onEnd?: (id: number) => void;
  /** Called if there is no job. @returns the pause until the next search, in milliseconds */
  readonly onIdle: () => Promise<number>;
}

/** Runs the jobs of a table in the background, one after the other. Several processes agree by leases. */
export class JobLoop {
  /** names this process in leases */
  readonly owner = randomUUID();
  readonly #options: Options;
  readonly #loop: BackgroundLoop;
  readonly #failed = { id: 0, times: 0 };
  #prepared: Promise<void> | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { name, log } = options;
    this.#loop = new BackgroundLoop({
      name,
      log,
      wakeDelay: 10,
      run: (signal) => this.#run(signal),
    });
  }

  /** Called, also within a transaction, when there may be a new job. */
  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when the current part is done. Another process, or the next start, continues the job. */
  async close(): Promise<void> {
    await this.#loop.close();
    await this.#release(this.owner);
  }

  async #run(signal: AbortSignal): Promise<number> {
    const { database, table, work, onEnd, onIdle, isOnlyProcess } = this.#options;
    await (this.#prepared ??= isOnlyProcess ? this.#release(null) : Promise.resolve());
    const id = await database.read((db) => findJob(db, table, this.owner));
    if (id === undefined) return onIdle();
    try {
      await work(id, signal, () => {
        this.#failed.times = 0;
      });
    } catch (error) {
      await this.#noteFailure(id);
      throw new Error(`A part of the job ${id} failed.`, { cause: error });
    } finally {
      onEnd?.(id);
    }
    return 0;
  }

  async #noteFailure(id: number): Promise<void> {
    this.#failed.times = this.#failed.id === id ? this.#failed.times + 1 : 1;
    this.#failed.id = id;
    if (this.#failed.times < MAX_FAILURES) return;
    await this.#options.stop(id);
    this.#failed.times = 0;
  }

  /** A lease that cannot be released expires. */
  async #release(owner: string | null): Promise<void> {
    const { database, table } = this.#options;
    await database
      .write((db) => releaseLeases(db, table, owner), READ_COMMITTED)
      .catch(() => undefined);
  }
}
