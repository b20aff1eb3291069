import { join } from 'node:path';
import type { Database, Listener, Transaction } from '../database.ts';
import type { DatabaseLoad } from '../database-load.ts';
import { PendingWork } from '#server/lib/pending-work.ts';
import { assertNoNestedTransaction } from '../nested-transactions.ts';
import { SQLITE } from './sqlite-adapter.ts';
import { SqliteReadPool } from './sqlite-read-pool.ts';
import { openSqliteWithoutUpgrade, SQLITE_FILE } from './sqlite-database.ts';
import { explainOpenError } from '../storage-errors.ts';

/**
 * Opens the SQLite database that exists in `dataDir`, without changing its tables.
 * @param check throws if the database may not be used; runs before any write is possible
 * @throws {OperatorError} with a message for the administrator
 */
export async function openExistingSqlite(
  dataDir: string,
  access: 'read' | 'write',
  check: (db: Transaction) => Promise<void>,
): Promise<Database> {
  const path = join(dataDir, SQLITE_FILE);
  const database = new ReadOnlySqliteDatabase(path);
  try {
    await database.read(check);
  } catch (error) {
    await database.close();
    throw explainOpenError(path, error);
  }
  if (access === 'read') return database;
  await database.close();
  return openSqliteWithoutUpgrade(path);
}

/** The database for read-only commands: its file is opened read-only. */
class ReadOnlySqliteDatabase implements Database {
  readonly adapter = SQLITE;
  readonly #readers: SqliteReadPool;
  readonly #reads = new PendingWork();
  #closed = false;

  constructor(path: string) {
    this.#readers = new SqliteReadPool(path, 'read only');
  }

  async read<T>(work: (db: Transaction) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('The database is closed.');
    return this.#reads.add(assertNoNestedTransaction(() => this.#readers.read(work, null)));
  }

  write<T>(): Promise<T> {
    return Promise.reject(new Error('The database was opened to be read only.'));
  }

  completeIndexes(): Promise<void> {
    return this.write();
  }

  untilQuiet(): Promise<void> {
    return Promise.resolve();
  }

  listen(): Listener {
    throw new Error('The database was opened to be read only.');
  }

  load(): DatabaseLoad {
    const { longestWait, ...connections } = this.#readers.load;
    return { waitingWrites: 0, longestWait, writes: { count: 0, waitedMs: 0 }, connections };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#reads.settled();
    this.#readers.close();
  }
}
