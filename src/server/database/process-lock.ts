import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { pause } from '#server/lib/background-loop.ts';
import { READ_COMMITTED, type Database, type Transaction } from './database.ts';

/** Arbitrary numbers that no other program may use for advisory locks in this database. Older versions use the same. */
const ADVISORY_LOCKS = {
  indexes: '7597120008394930291',
  once: '7597120008394927982',
  sequencing: '7597120008394929505',
} as const;
type ProcessLock = keyof typeof ADVISORY_LOCKS;

/** How often a process that waits for the lock tries to take it, in milliseconds. */
const RETRY_INTERVAL = 500;
/**
 * How often the transaction that holds the lock runs a statement, so that it does not time out as idle, in
 * milliseconds.
 */
const RENEWAL_INTERVAL = 5_000;

/**
 * Runs `work` while no other process on the database holds the lock: at once if one process uses the database (SQLite).
 * On PostgreSQL the lock belongs to a separate transaction, so it ends with the process and works behind a pooler.
 * @param signal cancels waiting
 * @param work gets a signal that is aborted when the lock is lost with its connection; another process may have it then
 * @param cancel cancels `work` once the signal is aborted, by a statement of the lock's transaction; called again while it goes on
 * @throws {Error} after `work`, if the lock was lost meanwhile
 */
export async function withProcessLock(
  database: Database,
  lock: ProcessLock,
  signal: AbortSignal,
  work: (lost: AbortSignal) => Promise<void>,
  cancel?: (db: Transaction) => Promise<void>,
): Promise<void> {
  const lost = new AbortController();
  if (!database.adapter.isShared) return work(lost.signal);
  for (;;) {
    signal.throwIfAborted();
    const done = new AbortController();
    const locked = Promise.withResolvers<boolean>();
    let wasLocked = false;
    const holding = database.write(async (db) => {
      const isLocked = await tryProcessLock(db, lock);
      // The transaction is repeated when its connection was lost.
      if (wasLocked && !isLocked) throw new Error('Another process has taken the lock.');
      wasLocked = isLocked;
      locked.resolve(isLocked);
      if (isLocked) await keepLockAlive(db, done.signal, signal, cancel);
    }, READ_COMMITTED);
    holding.catch((error: unknown) => {
      locked.reject(error);
      lost.abort(error);
    });
    try {
      if (await locked.promise) {
        await work(lost.signal);
        lost.signal.throwIfAborted();
        return;
      }
    } finally {
      done.abort();
      await Promise.allSettled([holding]);
    }
    // Waiting for the lock inside PostgreSQL would hold a snapshot, and `create index concurrently` waits for its end.
    await setTimeout(RETRY_INTERVAL, undefined, { signal });
  }
}

/** Takes the lock until the end of the transaction, if no other process holds it; on SQLite none can. */
export function tryProcessLock(db: Transaction, lock: ProcessLock): Promise<boolean> {
  return db.adapter.tryLockNumber(db, ADVISORY_LOCKS[lock]);
}

/** Keeps the lock's transaction alive until the work is done. */
async function keepLockAlive(
  db: Transaction,
  done: AbortSignal,
  signal: AbortSignal,
  cancel: ((db: Transaction) => Promise<void>) | undefined,
): Promise<void> {
  while (!done.aborted) {
    const wake = signal.aborted ? done : AbortSignal.any([done, signal]);
    await pause(RENEWAL_INTERVAL, wake);
    if (signal.aborted) await cancel?.(db);
    // Also ends the portal of the statement before, which would keep its snapshot.
    await sql`select 1`.execute(db.k);
  }
}
