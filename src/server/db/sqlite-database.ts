import { join } from 'node:path';
import type { Database, DatabaseLoad, Db } from './database.ts';
import { createDataDirectory, syncDirectory } from './data-directory.ts';
import { WriteQueue } from './group-commit.ts';
import { migrate } from './migrations/migrate.ts';
import { refuseNesting } from './nesting.ts';
import { SqliteConnection } from './sqlite.ts';
import { runInTransaction } from './transaction.ts';
import { explainOpening, troubleOf } from './troubles.ts';
import { Waiting } from './waiting.ts';

/** The name of the database file in the data directory. */
export const SQLITE_FILE = 'indexdesk.sqlite';

/** Reads that run at the same time, each on its own snapshot; further ones wait. */
const MOST_READERS = 8;

/** Opens the SQLite database in `dataDir`, creating both where they are missing. */
export async function openSqliteDatabase(dataDir: string): Promise<Database> {
  await createDataDirectory(dataDir);
  const path = join(dataDir, SQLITE_FILE);
  const writer = await openWriter(path);
  const queue = new WriteQueue(writer);
  try {
    await queue.write(migrate);
    // The names of new files are durable only once their directory is.
    await syncDirectory(dataDir);
  } catch (error) {
    await queue.close();
    writer.close();
    throw explainOpening(path, error);
  }
  return new SqliteDatabase(path, writer, queue);
}

async function openWriter(path: string): Promise<SqliteConnection> {
  try {
    return await SqliteConnection.open(path, 'writer');
  } catch (error) {
    throw explainOpening(path, error);
  }
}

class SqliteDatabase implements Database {
  readonly dialect = 'sqlite';
  readonly #path: string;
  readonly #writer: SqliteConnection;
  readonly #queue: WriteQueue;
  readonly #idle: SqliteConnection[] = [];
  readonly #waiting: ((connection: SqliteConnection) => void)[] = [];
  readonly #waits = new Waiting();
  readonly #reads = new Set<Promise<unknown>>();
  #readers = 0;
  #closing: Promise<void> | undefined;

  constructor(path: string, writer: SqliteConnection, queue: WriteQueue) {
    this.#path = path;
    this.#writer = writer;
    this.#queue = queue;
  }

  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    if (this.#closing) throw new Error('The database is closed.');
    const result = refuseNesting(() => this.#read(work));
    this.#reads.add(result);
    try {
      return await result;
    } finally {
      this.#reads.delete(result);
    }
  }

  write<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return refuseNesting(() => this.#queue.write(work));
  }

  load(): DatabaseLoad {
    const { waiting } = this.#queue;
    return {
      waitingWrites: waiting.length,
      longestWait: Math.max(waiting.longest, this.#waits.longest),
      writes: waiting.past,
      connections: {
        most: MOST_READERS,
        open: this.#readers,
        idle: this.#idle.length,
        waiting: this.#waits.length,
      },
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const connection = await this.#takeReader();
    try {
      connection.run('BEGIN');
      try {
        return await runInTransaction(connection.kysely, ABOUT, work);
      } catch (error) {
        if (troubleOf(error) === 'damaged') this.#queue.refuse(error);
        throw error;
      } finally {
        if (connection.inTransaction) connection.run('ROLLBACK');
      }
    } finally {
      const next = this.#waiting.shift();
      if (next) next(connection);
      else this.#idle.push(connection);
    }
  }

  async #takeReader(): Promise<SqliteConnection> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#readers >= MOST_READERS) {
      const begin = this.#waits.begin();
      return new Promise((resolve) => {
        this.#waiting.push((connection) => {
          begin();
          resolve(connection);
        });
      });
    }
    this.#readers += 1;
    try {
      return await SqliteConnection.open(this.#path, 'reader');
    } catch (error) {
      this.#readers -= 1;
      throw error;
    }
  }

  async #close(): Promise<void> {
    await this.#queue.close();
    await Promise.allSettled(this.#reads);
    for (const connection of this.#idle) connection.close();
    // The last connection moves what is in the log into the database file.
    this.#writer.close();
  }
}

const ABOUT = { dialect: 'sqlite', trigram: false } as const;
