import * as texts from '#messages/service/storage-errors.ts';
import type { DatabaseConnection } from 'kysely';
import { ApiError } from '#shared/contract/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Transaction } from '../database.ts';
import type { Stored } from '../records/columns.ts';
import type { PostgresConnection } from './connection-pool.ts';
import { isRolledBack } from './postgres-errors.ts';
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
  #beginning: Promise<void> | null;
  #heldBack = false;
  /** settles with the last statement whose result is used */
  #asked: Promise<unknown> = Promise.resolve();
  /** settles with the last statement that was only sent */
  #sent: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #over = false;

  /** @param begin is sent at once; null: each statement is committed by itself */
  constructor(connection: PostgresConnection, begin: string | null) {
    this.#connection = connection;
    this.#commits = begin !== null;
    this.#beginning = begin === null ? null : this.#begin(begin);
  }

  rows(text: string, parameters: readonly Stored[]): Promise<unknown[][]> {
    return this.#ask(isPlainRead(text), () => this.#connection.rows(text, parameters));
  }

  async send(text: string, parameters: readonly Stored[]): Promise<void> {
    this.#refuseLate();
    const turn = this.#take(false, () => this.#connection.rows(text, parameters));
    const settled = turn.then(ignore, ignore);
    this.#sent = this.#sent.then(() => settled);
  }

  provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return this.#ask(false, () => consumer(this.#connection.kysely));
  }

  /**
   * Runs `work` and commits what it has written.
   * @throws {OutcomeUnknown} if the outcome is not known
   * @throws the error of the first failed statement, else of `work`; then nothing was committed
   */
  async run<T>(work: (db: Transaction) => Promise<T>, settings: TransactionSettings): Promise<T> {
    let result: T;
    try {
      result = await work(new StatementTransaction(this, settings));
    } catch (error) {
      await this.#end();
      await this.#sent;
      throw this.#failure ? this.#failure.error : error;
    }
    await this.#end();
    // After a failure that is already known, COMMIT is not needed.
    if (this.#failure) {
      await this.#sent;
      throw this.#failure.error;
    }
    const committed = this.#commits ? commit(this.#connection) : Promise.resolve();
    await Promise.all([this.#sent, committed.then(ignore, ignore)]);
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
    this.#beginning = null;
  }

  #ask<T>(canPrecedeBegin: boolean, run: () => Promise<T>): Promise<T> {
    const turn = this.#take(canPrecedeBegin, run);
    const settled = turn.then(ignore, ignore);
    this.#asked = this.#asked.then(() => settled);
    return turn;
  }

  /** @param goesAlong whether it may be sent before BEGIN is answered: if BEGIN fails, it runs outside the transaction */
  async #take<T>(goesAlong: boolean, run: () => Promise<T>): Promise<T> {
    this.#refuseLate();
    if (this.#beginning && !(goesAlong && !this.#heldBack)) {
      this.#heldBack = true;
      await this.#beginning;
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
    this.#over = true;
    // A statement that was not awaited may still be running on the connection.
    await this.#asked;
    await this.#beginning;
  }

  /** A failure may have been reported while other statements were awaited. */
  #firstFailure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  #fail(error: unknown): { readonly error: unknown } {
    this.#failure ??= { error };
    return this.#failure;
  }

  #refuseLate(): void {
    if (this.#over) {
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
    throw new OutcomeUnknown(error);
  }
  if (answer.command !== 'COMMIT') {
    throw new Error('The transaction was ended by its own statements.');
  }
  // For example, the wait for the standby was interrupted, so the commit may still be lost.
  if (answer.warning !== null) throw new OutcomeUnknown(new Error(answer.warning));
}

/** The meaning of a failure that was reported after COMMIT had been sent behind the statement. */
function outcomeOf({ error }: { readonly error: unknown }): unknown {
  return isRolledBack(error) ? error : new OutcomeUnknown(error);
}

/** The connection broke after COMMIT was sent and before its answer came, or the answer had a warning. */
export class OutcomeUnknown extends Error {
  readonly answer: ApiError;

  constructor(cause: unknown) {
    super(texts.outcomeUnknown.message, { cause });
    this.answer = unavailable(texts.outcomeUnknown, cause);
  }
}

/** The error for a request that failed because of the database. */
export function unavailable(message: Message, cause: unknown): ApiError {
  const error = new ApiError('unavailable', message);
  error.cause = cause;
  return error;
}
