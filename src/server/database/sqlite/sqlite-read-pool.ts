import type { Transaction } from '../database.ts';
import { SQLITE_SETTINGS } from './sqlite-adapter.ts';
import { SqliteConnection, type ConnectionRole } from './sqlite-connection.ts';
import { runInTransaction, type ConnectionSource } from './sqlite-transaction.ts';
import { EventLoopScheduler } from './event-loop-scheduler.ts';
import { QueueStats } from '../queue-stats.ts';

/** Concurrent reads, each on its own snapshot; further ones wait. */
const MAX_READERS = 8;

/** The read connections of this thread. */
export class SqliteReadPool {
  readonly #path: string;
  readonly #idle: SqliteConnection[] = [];
  readonly #waiting: ((connection: SqliteConnection) => void)[] = [];
  readonly #waits = new QueueStats();
  readonly #scheduler = new EventLoopScheduler();
  readonly #role: Exclude<ConnectionRole, 'writer'>;
  #readers = 0;

  constructor(path: string, role: Exclude<ConnectionRole, 'writer'> = 'reader') {
    this.#path = path;
    this.#role = role;
  }

  get load() {
    return {
      max: MAX_READERS,
      open: this.#readers,
      idle: this.#idle.length,
      waiting: this.#waits.length,
      longestWait: this.#waits.longestWait,
    };
  }

  /**
   * Runs `work` on one snapshot. While a thread reads for it, its connection is free for others, so that long reads
   * block nobody; later statements use a newer snapshot.
   * @param runInThread runs a procedure in a thread; null: everything is read in this thread
   */
  async read<T>(
    work: (db: Transaction) => Promise<T>,
    runInThread: Transaction['runInReadWorker'],
  ): Promise<T> {
    let held: SqliteConnection | undefined;
    const release = () => {
      const connection = held;
      held = undefined;
      if (!connection) return;
      connection.rollBack();
      this.#release(connection);
      this.#scheduler.endWork();
    };
    const source: ConnectionSource = {
      get current() {
        return held ?? null;
      },
      take: async () => {
        held = await this.#take();
        held.run('BEGIN');
        return held;
      },
    };
    const runInReadWorker: Transaction['runInReadWorker'] =
      runInThread &&
      ((name, args) => {
        release();
        return runInThread(name, args);
      });
    try {
      return await runInTransaction(source, { ...SQLITE_SETTINGS, runInReadWorker }, work);
    } finally {
      release();
    }
  }

  close(): void {
    for (const connection of this.#idle) connection.close();
  }

  #release(connection: SqliteConnection): void {
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#idle.push(connection);
  }

  async #take(): Promise<SqliteConnection> {
    const connection = await this.#free();
    // Not earlier: otherwise reads that wait for a connection would overtake reads that wait for their turn, because
    // each starts when another ends.
    const turn = this.#scheduler.waitForTurn();
    if (turn) {
      const endWait = this.#waits.startWait();
      await turn;
      endWait();
    }
    return connection;
  }

  async #free(): Promise<SqliteConnection> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#readers >= MAX_READERS) {
      const endWait = this.#waits.startWait();
      return new Promise((resolve) => {
        this.#waiting.push((connection) => {
          endWait();
          resolve(connection);
        });
      });
    }
    this.#readers += 1;
    try {
      return await SqliteConnection.open(this.#path, this.#role);
    } catch (error) {
      this.#readers -= 1;
      throw error;
    }
  }
}
