import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/database.ts';
import { setTimeout } from 'node:timers/promises';
import type { Database, Transaction } from './database.ts';

/**
 * A statement that changes a PostgreSQL table waits for every transaction that uses the table, and later transactions
 * queue behind it. So each attempt waits at most this long, in milliseconds, and is then repeated after a pause.
 */
const MAX_WAIT = 100;
const PAUSE = { min: 500, max: 1_500 };
/** Time limit for all attempts together, in milliseconds. */
const MAX_RETRY_TIME = 10 * 60_000;

/**
 * Runs `work` as one transaction that alters tables in use, and blocks other transactions only for a moment. On SQLite
 * it is an ordinary write.
 * @param onRetry called each time a table was in use
 * @throws {OperatorError} if a table was in use for ten minutes
 */
export async function changeTables<T>(
  database: Database,
  work: (db: Transaction) => Promise<T>,
  onRetry: () => void = () => undefined,
): Promise<T> {
  const until = performance.now() + MAX_RETRY_TIME;
  for (;;) {
    try {
      return await database.write(async (db) => {
        await db.adapter.limitLockWaits(db, MAX_WAIT);
        return work(db);
      });
    } catch (error) {
      if (!database.adapter.isLockTimeout(error)) throw error;
      if (performance.now() > until) {
        throw new OperatorError(texts.tableInUse, { cause: error });
      }
      onRetry();
      await setTimeout(PAUSE.min + Math.random() * (PAUSE.max - PAUSE.min));
    }
  }
}
