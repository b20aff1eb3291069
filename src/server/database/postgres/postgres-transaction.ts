import * as texts from '#messages/service/storage-errors.ts';
import type { DatabaseConnection } from 'kysely';
import type { ApiError } from '#shared/contract/errors.ts';
import type { Transaction } from '../database.ts';
import type { ColumnValue } from '../records/columns.ts';
import type { PostgresConnection } from './connection-pool.ts';
import { isRolledBack } from './postgres-errors.ts';
import { unavailable } from '../unavailable.ts';
import {
  StatementTransaction,
  type StatementRunner,
  type TransactionSettings,
} from '../transaction.ts';

/**
 * One transaction on PostgreSQL with pipelined statements: each statement is sent at once, without waiting for earlier
 * answers. PostgreSQL runs them in this order, and rejects all statements after one that failed. So statements whose
 * rows are not used (`send`) are not awaited, and COMMIT is sent together with them: it takes effect only if all
 * statements before it succeeded.
 */
export class PostgresTransaction implements StatementRunner {
  readonly #connection: PostgresConnection;
  readonly #commits: boolean;
  /** null once BEGIN has been answered */
  #pendingBegin: Promise<void> | null;
  /** whether a statement waits for BEGIN, so that later ones must not overtake it */
  #mustWaitForBegin = false;
  /** settles with the last statement whose result is used */
  #lastAwaited: Promise<unknown> = Promise.resolve();
  /** settles with the last statement that was only sent */
  #lastSent: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  /** @param begin is sent at once; null: each statement is committed by itself */
  constructor(connection: PostgresConnection, begin: string | null) {
    this.#connection = connection;
    this.#commits = begin !== null;
    this.#pendingBegin = begin === null ? null : this.#begin(begin);
  }

  rows(text: string, parameters: readonly ColumnValue[]): Promise<unknown[][]> {
    return this.#runAwaited(isPlainRead(text), () => this.#connection.rows(text, parameters));
  }

  async send(text: string, parameters: readonly ColumnValue[]): Promise<void> {
    this.#assertUsable();
    const turn = this.#runPipelined(false, () => this.#connection.rows(text, parameters));
    const settled = turn.then(ignore, ignore);
    this.#lastSent = this.#lastSent.then(() => settled);
  }

  provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return this.#runAwaited(false, () => consumer(this.#connection.kysely));
  }

  /**
   * Runs `work` and commits what it has written.
   * @throws {OutcomeUnknownError} if the outcome is not known
   * @throws the error of the first failed statement, else of `work`; then nothing was committed
   */
  async run<T>(work: (db: Transaction) => Promise<T>, settings: TransactionSettings): Promise<T> {
    let result: T;
    try {
      result = await work(new StatementTransaction(this, settings));
    } catch (error) {
      await this.#end();
      await this.#lastSent;
      throw this.#failure ? this.#failure.error : error;
    }
    await this.#end();
    // After a failure that is already known, COMMIT is not needed.
    if (this.#failure) {
      await this.#lastSent;
      throw this.#failure.error;
    }
    const committed = this.#commits ? commit(this.#connection) : Promise.resolve();
    await Promise.all([this.#lastSent, committed.then(ignore, ignore)]);
    const failure = this.#firstFailure();
    if (failure) throw this.#commits ? outcomeOf(failure) : failure.error;
    await committed;
    return result;
  }

  async #begin(begin: string): Promise<void> {
    try {
      await this.#connection.run(begin);
    } catch (error) {
      this.#fail(error);
    }
    this.#pendingBegin = null;
  }

  #runAwaited<T>(canPrecedeBegin: boolean, run: () => Promise<T>): Promise<T> {
    const turn = this.#runPipelined(canPrecedeBegin, run);
    const settled = turn.then(ignore, ignore);
    this.#lastAwaited = this.#lastAwaited.then(() => settled);
    return turn;
  }

  /**
   * @param canPrecedeBegin whether it may be sent before BEGIN is answered, although it would run outside the transaction if
   * BEGIN failed
   */
  async #runPipelined<T>(canPrecedeBegin: boolean, run: () => Promise<T>): Promise<T> {
    this.#assertUsable();
    if (this.#pendingBegin && !(canPrecedeBegin && !this.#mustWaitForBegin)) {
      this.#mustWaitForBegin = true;
      await this.#pendingBegin;
      if (this.#failure) throw this.#failure.error;
    }
    try {
      return await run();
    } catch (error) {
      // The statements after it fail as well; the first error is the cause.
      throw this.#fail(error).error;
    }
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    // A statement that was not awaited may still be running on the connection.
    await this.#lastAwaited;
    await this.#pendingBegin;
  }

  /** A method, because TypeScript would assume that `#failure` is still undefined after an await. */
  #firstFailure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  #fail(error: unknown): { readonly error: unknown } {
    this.#failure ??= { error };
    return this.#failure;
  }

  #assertUsable(): void {
    if (this.#isOver) {
      throw new Error('The transaction is over: await every statement within its read or write.');
    }
    if (this.#failure) throw this.#failure.error;
  }
}

const ignore = () => undefined;

/** Whether the statement writes nothing if it runs outside a transaction. */
function isPlainRead(text: string): boolean {
  return /^\s*select\b/.test(text) && !text.includes('nextval');
}

async function commit(connection: PostgresConnection): Promise<void> {
  let answer: Awaited<ReturnType<PostgresConnection['run']>>;
  try {
    answer = await connection.run('commit');
  } catch (error) {
    if (isRolledBack(error)) throw error;
    throw new OutcomeUnknownError(error);
  }
  if (answer.command !== 'COMMIT') {
    throw new Error('The transaction was ended by its own statements.');
  }
  // For example, the wait for the standby was interrupted, so the commit may still be lost.
  if (answer.warning !== null) throw new OutcomeUnknownError(new Error(answer.warning));
}

/** The meaning of a failure that was reported after COMMIT had been sent behind the statement. */
function outcomeOf({ error }: { readonly error: unknown }): unknown {
  return isRolledBack(error) ? error : new OutcomeUnknownError(error);
}

/** The connection broke after COMMIT was sent and before its answer came, or the answer had a warning. */
export class OutcomeUnknownError extends Error {
  readonly apiError: ApiError;

  constructor(cause: unknown) {
    super(texts.outcomeUnknown.message, { cause });
    this.apiError = unavailable(texts.outcomeUnknown, cause);
  }
}
