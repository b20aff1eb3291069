import { sql } from 'kysely';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type {
  Database,
  IndexProgress,
  Listener,
  Migrate,
  Transaction,
  WriteOptions,
} from '../database.ts';
import type { DatabaseLoad } from '../database-load.ts';
import { createDataDirectory, syncDirectory } from '../data-directory.ts';
import { WriteQueue } from './write-queue.ts';
import { pause } from '#server/lib/background-loop.ts';
import { PendingWork } from '#server/lib/pending-work.ts';
import { assertNoNestedTransaction } from '../nested-transactions.ts';
import { SQLITE } from './sqlite-adapter.ts';
import { LocalListeners } from '../listeners.ts';
import { SqliteReadPool } from './sqlite-read-pool.ts';
import { ReadWorkerPool, MIN_SIZE_FOR_THREADS } from './read-worker-pool.ts';
import type { QueryLimits, ReadContext } from '../query-cancellation.ts';
import type { TableFields } from '../records/columns.ts';
import { IndexThread } from './index-thread.ts';
import { missingIndexes } from './missing-indexes.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { explainOpenError, storageErrorOf } from '../storage-errors.ts';

/** The name of the database file in the data directory. */
export const SQLITE_FILE = 'indexdesk.sqlite';

/** Opens the SQLite database in `dataDir`, creating both if they are missing, and brings its tables up to date. */
export async function openSqliteDatabase(
  dataDir: string,
  migrate: Migrate,
  limits: QueryLimits = {},
): Promise<Database> {
  await createDataDirectory(dataDir);
  const path = join(dataDir, SQLITE_FILE);
  const database = await openSqliteWithoutUpgrade(path, limits);
  try {
    await database.write(migrate);
    // The names of new files are durable only once their directory is.
    await syncDirectory(dataDir);
  } catch (error) {
    await database.close();
    throw explainOpenError(path, error);
  }
  return database;
}

/** Opens a SQLite database for reading and writing without changing its tables; its version must have been checked. */
export async function openSqliteWithoutUpgrade(
  path: string,
  limits: QueryLimits = {},
): Promise<Database> {
  return new SqliteDatabase(path, await openWriter(path), limits);
}

async function openWriter(path: string): Promise<SqliteConnection> {
  try {
    return await SqliteConnection.open(path, 'writer');
  } catch (error) {
    throw explainOpenError(path, error);
  }
}

/**
 * If writes waited for an index, the pause before the next one, as a multiple of the creation's time: they run
 * meanwhile, and nobody waits for two indexes.
 */
const PAUSE_AFTER_INDEX = 5;

class SqliteDatabase implements Database {
  readonly adapter = SQLITE;
  readonly #path: string;
  readonly #writer: SqliteConnection;
  readonly #queue: WriteQueue;
  readonly #listeners = new LocalListeners();
  readonly #readers: SqliteReadPool;
  readonly #threads: ReadWorkerPool;
  readonly #reads = new PendingWork();
  /** indexes that are being created; a thread has the file open */
  readonly #builds = new PendingWork();
  #closing: Promise<void> | undefined;

  readonly #workersFrom: number;
  #isLarge = false;
  /** `SqliteConnection.writes` when the size was last read */
  #writesWhenMeasured = -1;

  constructor(path: string, writer: SqliteConnection, limits: QueryLimits) {
    this.#path = path;
    this.#writer = writer;
    this.#queue = new WriteQueue(writer, (payload) => this.#listeners.notify(payload));
    this.#readers = new SqliteReadPool(path);
    this.#threads = new ReadWorkerPool(path, limits);
    this.#workersFrom = limits.workersFrom ?? MIN_SIZE_FOR_THREADS;
  }

  async read<T>(work: (db: Transaction) => Promise<T>, context: ReadContext = {}): Promise<T> {
    if (this.#closing) throw new Error('The database is closed.');
    return this.#reads.add(assertNoNestedTransaction(() => this.#read(work, context)));
  }

  write<T>(work: (db: Transaction) => Promise<T>, { weight }: WriteOptions = {}): Promise<T> {
    return assertNoNestedTransaction(() => this.#queue.write(work, weight));
  }

  listen(callback: (payload: string) => void): Listener {
    return this.#listeners.add(callback);
  }

  completeIndexes(
    collection: TableFields,
    progress: IndexProgress,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.#builds.add(this.#completeIndexes(collection, progress, signal));
  }

  async untilQuiet(period: number, maxWait: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + maxWait;
    for (;;) {
      const left = Math.min(period - this.#queue.idleTime, until - performance.now());
      if (left <= 0 || signal.aborted) return;
      await pause(left, signal);
    }
  }

  load(): DatabaseLoad {
    const { waiting } = this.#queue;
    const { longestWait, ...connections } = this.#readers.load;
    return {
      waitingWrites: waiting.length,
      // Queries that wait for a thread have their own deadline, so they are no reason to reject other requests. Nor are
      // writes that wait for an index: requests that only read are answered meanwhile.
      longestWait: Math.max(this.#queue.longestWait, longestWait),
      writes: waiting.finishedWaits,
      connections: { ...connections, waiting: connections.waiting + this.#threads.waiting },
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #completeIndexes(
    collection: TableFields,
    progress: IndexProgress,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const missing = await this.read((db) => missingIndexes(db, collection));
    const { indexes, warmUp, isSmallTable } = missing;
    let thread: IndexThread | undefined;
    let pauseBefore = 0;
    try {
      for (const { name, create } of indexes) {
        if (pauseBefore > 0) await setTimeout(pauseBefore, undefined, { signal });
        signal?.throwIfAborted();
        await progress(name);
        if (this.#hasThreads() && !isSmallTable) {
          const started = (thread ??= await IndexThread.start({ path: this.#path, warmUp }));
          const took = await this.#queue.runExternal(() => started.create(create));
          pauseBefore = this.#queue.waiting.length > 0 ? took * PAUSE_AFTER_INDEX : 0;
        } else await this.write((db) => sql.raw(create).execute(db.k));
      }
    } finally {
      await thread?.end();
    }
  }

  /** Whether the database is so large that its long work runs in threads. */
  #hasThreads(): boolean {
    const { writes } = this.#writer;
    // Every read asks, and the size changes only with writes.
    if (!this.#isLarge && writes !== this.#writesWhenMeasured) {
      this.#writesWhenMeasured = writes;
      this.#isLarge = this.#writer.bytes >= this.#workersFrom;
    }
    return this.#isLarge;
  }

  async #read<T>(work: (db: Transaction) => Promise<T>, context: ReadContext): Promise<T> {
    const threads = this.#hasThreads() ? this.#threads : null;
    try {
      return await this.#readers.read(
        work,
        threads && ((name, args) => threads.call(name, args, context)),
      );
    } catch (error) {
      if (storageErrorOf(error) === 'damaged') this.#queue.refuseWrites(error);
      throw error;
    }
  }

  async #close(): Promise<void> {
    await this.#queue.close();
    await this.#builds.settled();
    await this.#reads.settled();
    await this.#threads.close();
    this.#readers.close();
    // The last connection moves the content of the log into the database file.
    this.#writer.close();
  }
}
