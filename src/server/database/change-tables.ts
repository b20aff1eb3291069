import { setTimeout } from 'node:timers/promises';
import type { Database, Transaction } from './database.ts';
import { isLockTimeout } from './postgres/postgres-errors.ts';

/**
 * Who changes a table of PostgreSQL waits for all who use it, and whoever comes meanwhile waits behind: so it waits only
 * for so long, gives up its place, and comes again after a pause; in milliseconds.
 */
const MAX_WAIT = 100;
const PAUSE = { shortest: 500, longest: 1_500 };
/** For how long it is tried before an error, in milliseconds. */
const MAX_RETRY_TIME = 10 * 60_000;

/**
 * Runs `work` as one transaction that changes tables which are in use, keeping others waiting for at most a moment. On
 * SQLite as any write.
 * @param waiting called each time that a table was in use
 * @throws {Error} with the remedy where a table was in use for ten minutes
 */
export async function changeTables<T>(
  database: Database,
  work: (db: Transaction) => Promise<T>,
  waiting: () => void = () => undefined,
): Promise<T> {
  const until = performance.now() + MAX_RETRY_TIME;
  for (;;) {
    try {
      return await database.write(async (db) => {
        await db.adapter.limitLockWaits(db, MAX_WAIT);
        return work(db);
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (performance.now() > until) {
        throw new Error(
          'A table was in use by other work for ten minutes, such as an export or a verification, so its columns were ' +
            'not changed. Run the command again when that work is done.',
          { cause: error },
        );
      }
      waiting();
      await setTimeout(PAUSE.shortest + Math.random() * (PAUSE.longest - PAUSE.shortest));
    }
  }
}
