import type { DatabaseConnection } from 'kysely';
import type { Transaction } from '../database.ts';
import type { ColumnValue } from '../records/columns.ts';
import {
  StatementTransaction,
  type StatementRunner,
  type TransactionSettings,
} from '../transaction.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** The connection of a transaction. */
export interface ConnectionSource {
  /** null: await `take` first */
  readonly current: SqliteConnection | null;
  take(): Promise<SqliteConnection>;
}

/** The source of a connection that the whole transaction has. */
export function sourceOf(connection: SqliteConnection): ConnectionSource {
  return { current: connection, take: () => Promise.resolve(connection) };
}

/**
 * The statements of one transaction, run one after the other on its connection. The caller begins and ends the
 * transaction. As on PostgreSQL, a failed statement fails the whole transaction, even if its error was caught: all
 * later statements are rejected with the same error. So a store that works on one database works on the other.
 */
class SqliteStatements implements StatementRunner {
  readonly #source: ConnectionSource;
  /** statements that wait for earlier ones */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  constructor(source: ConnectionSource) {
    this.#source = source;
  }

  rows(text: string, parameters: readonly ColumnValue[]): unknown[][] | Promise<unknown[][]> {
    const { current } = this.#source;
    if (this.#waiting > 0 || !current) {
      return this.#inTurn(async (connection) => connection.rowsOf(text, parameters));
    }
    this.#assertUsable();
    try {
      return current.rowsOf(text, parameters);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  send(text: string, parameters: readonly ColumnValue[]): Promise<unknown> | undefined {
    const rows = this.rows(text, parameters);
    return rows instanceof Promise ? rows : undefined;
  }

  provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return this.#inTurn(({ kysely }) => consumer(kysely));
  }

  /** @throws the error of the first failed statement, else of `work` */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let result: T;
    try {
      result = await work();
    } catch (error) {
      await this.#end();
      throw this.#failure ? this.#failure.error : error;
    }
    await this.#end();
    if (this.#failure) throw this.#failure.error;
    return result;
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    // A statement that was not awaited may still be running on the connection.
    await this.#last;
  }

  #inTurn<T>(run: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#take(run));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #take<T>(run: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    try {
      this.#assertUsable();
      return await run(await this.#connection());
    } catch (error) {
      if (!this.#isOver) this.#failure ??= { error };
      throw error;
    }
  }

  async #connection(): Promise<SqliteConnection> {
    try {
      return this.#source.current ?? (await this.#source.take());
    } finally {
      this.#waiting -= 1;
    }
  }

  #assertUsable(): void {
    if (this.#isOver) {
      throw new Error('The transaction is over: await every statement within its read or write.');
    }
    if (this.#failure) throw this.#failure.error;
  }
}

/**
 * Runs `work` on a connection on which a transaction has begun, or is begun by `take`; neither commits nor rolls back.
 */
export async function runInTransaction<T>(
  source: ConnectionSource,
  settings: TransactionSettings,
  work: (db: Transaction) => Promise<T>,
): Promise<T> {
  const statements = new SqliteStatements(source);
  return statements.run(() => work(new StatementTransaction(statements, settings)));
}
