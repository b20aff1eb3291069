import { setTimeout } from 'node:timers/promises';
import * as texts from '#messages/service/http.ts';
import { unavailable } from '../unavailable.ts';
import { remedyOf } from './postgres-errors.ts';
import { OutcomeUnknownError } from './postgres-transaction.ts';

/**
 * Limits for retries of a transaction that conflicts with others: the attempts, and the shortest and longest pause in
 * milliseconds.
 */
const MAX_ATTEMPTS = 12;
const MIN_PAUSE = 4;
const MAX_PAUSE = 300;

/** Limits for retries after a broken connection: attempts, and milliseconds in total. */
const MAX_CONNECTION_ATTEMPTS = 6;
const MAX_RECONNECT_TIME = 5_000;

interface RetryOptions {
  /** called where prepared statements do not work, as behind some poolers */
  readonly disablePreparedStatements: () => void;
  /** ends the attempts with its reason */
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a transaction until it succeeds, or its error cannot be remedied by another attempt.
 * @param run begins and commits the transaction, and may be called several times
 * @throws {ApiError} with the remedy if the database stays busy or unreachable, or it is unknown whether it committed
 */
export async function runWithRetries<T>(
  run: () => Promise<T>,
  { disablePreparedStatements, signal }: RetryOptions,
): Promise<T> {
  const until = performance.now() + MAX_RECONNECT_TIME;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof OutcomeUnknownError) throw error.apiError;
      switch (remedyOf(error)) {
        case 'retry':
          if (attempt >= MAX_ATTEMPTS) throw unavailable(texts.databaseBusy, error);
          break;
        case 'retry-once':
          if (attempt >= 2) throw error;
          break;
        case 'occupied':
          throw unavailable(texts.databaseBusy, error);
        case 'retry-unprepared':
          if (attempt >= MAX_ATTEMPTS) throw error;
          disablePreparedStatements();
          break;
        case 'reconnect-to-primary':
          if (attempt >= MAX_CONNECTION_ATTEMPTS) throw error;
          break;
        case 'reconnect':
          if (attempt >= MAX_CONNECTION_ATTEMPTS || performance.now() > until) {
            throw unavailable(texts.databaseUnreachable, error);
          }
          break;
        case 'none':
          throw error;
      }
    }
    // Transactions that conflicted must not be retried at the same moment.
    const pause = Math.min(MIN_PAUSE * 2 ** attempt, MAX_PAUSE);
    await setTimeout(pause * (0.5 + Math.random()));
  }
}
