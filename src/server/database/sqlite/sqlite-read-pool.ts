import type { DatabaseConnection } from 'kysely';
import type { Db } from '../database.ts';
import { ABOUT, ReadingConnection } from './read-connection.ts';
import type { Role } from './sqlite-connection.ts';
import { runInTransaction } from '../transaction.ts';
import { Turns } from './event-loop-scheduler.ts';
import { Waiting } from '../queue-stats.ts';

/** Reads that run at the same time, each on its own snapshot; further ones wait. */
const MOST_READERS = 8;

/** The connections on which this thread reads. */
export class ReadingPool {
  readonly #path: string;
  readonly #idle: ReadingConnection[] = [];
  readonly #waiting: ((connection: ReadingConnection) => void)[] = [];
  readonly #waits = new Waiting();
  readonly #turns = new Turns();
  readonly #role: Exclude<Role, 'writer'>;
  #readers = 0;

  constructor(path: string, role: Exclude<Role, 'writer'> = 'reader') {
    this.#path = path;
    this.#role = role;
  }

  get load() {
    return {
      most: MOST_READERS,
      open: this.#readers,
      idle: this.#idle.length,
      waiting: this.#waits.length,
      longestWait: this.#waits.longest,
    };
  }

  /**
   * Runs `work` on one snapshot. While a thread reads for it, its connection is free for others, so that long reads
   * keep nobody waiting; what it asks afterwards it asks of a newer snapshot.
   * @param runInThread runs a procedure in a thread; null: all is read here
   */
  async read<T>(work: (db: Db) => Promise<T>, runInThread: Db['apart']): Promise<T> {
    let held: ReadingConnection | undefined;
    const giveBack = () => {
      const connection = held;
      held = undefined;
      connection?.end();
      if (!connection) return;
      this.#giveBack(connection);
      this.#turns.ended();
    };
    const connection: DatabaseConnection = {
      executeQuery: async (query) => {
        if (!held) {
          held = await this.#take();
          held.begin();
        }
        return held.kysely.executeQuery(query);
      },
      streamQuery: () => {
        throw new Error('On SQLite rows are not streamed.');
      },
    };
    const apart: Db['apart'] =
      runInThread &&
      ((name, args) => {
        giveBack();
        return runInThread(name, args);
      });
    try {
      return await runInTransaction(connection, { ...ABOUT, apart }, work);
    } finally {
      giveBack();
    }
  }

  close(): void {
    for (const connection of this.#idle) connection.close();
  }

  #giveBack(connection: ReadingConnection): void {
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#idle.push(connection);
  }

  async #take(): Promise<ReadingConnection> {
    const connection = await this.#free();
    // Not before: reads that wait for a connection would pass their turns by, each going on where another has ended.
    const turn = this.#turns.next();
    if (turn) {
      const begin = this.#waits.begin();
      await turn;
      begin();
    }
    return connection;
  }

  async #free(): Promise<ReadingConnection> {
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
      return await ReadingConnection.open(this.#path, this.#role);
    } catch (error) {
      this.#readers -= 1;
      throw error;
    }
  }
}
