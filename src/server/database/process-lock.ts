import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { pause } from '#server/background-loop.ts';
import type { Database, Transaction } from './database.ts';

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

/** Cancels a statement that runs on a connection, by the connection's process id on the server. */
interface Cancellation {
  /** the process id; null while nothing is to be cancelled */
  pid: number | null;
}

/**
 * Runs `work` while no other process on the database holds the lock: at once if one process uses the database (SQLite).
 * On PostgreSQL the lock belongs to a separate transaction, so it ends with the process and works behind a pooler.
 * @param signal cancels waiting, and the statement on the connection whose process id `work` has stored
 */
export async function withProcessLock(
  database: Database,
  lock: ProcessLock,
  signal: AbortSignal,
  work: (cancellation: Cancellation) => Promise<void>,
): Promise<void> {
  if (!database.adapter.isShared) return work({ pid: null });
  for (;;) {
    signal.throwIfAborted();
    const cancellation: Cancellation = { pid: null };
    const done = new AbortController();
    const locked = Promise.withResolvers<boolean>();
    const holding = database.write(async (db) => {
      const isLocked = await tryProcessLock(db, lock);
      locked.resolve(isLocked);
      if (isLocked) await keepLockAlive(db, done.signal, signal, cancellation);
    }, 'read committed');
    holding.catch(locked.reject);
    try {
      if (await locked.promise) {
        await work(cancellation);
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
export async function tryProcessLock(db: Transaction, lock: ProcessLock): Promise<boolean> {
  if (!db.adapter.isShared) return true;
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(ADVISORY_LOCKS[lock])}::bigint) as locked`.execute(
    db.k,
  );
  return rows[0]?.locked === true;
}

/** Keeps the lock's transaction alive until the work is done. */
async function keepLockAlive(
  db: Transaction,
  done: AbortSignal,
  cancel: AbortSignal,
  cancellation: Cancellation,
): Promise<void> {
  while (!done.aborted) {
    const wake = cancel.aborted ? done : AbortSignal.any([done, cancel]);
    await pause(RENEWAL_INTERVAL, wake);
    if (cancel.aborted && cancellation.pid !== null) {
      // A pooler may meanwhile have reassigned the server's connection.
      await sql`select pg_cancel_backend(pid) from pg_stat_activity
        where pid = ${cancellation.pid} and query like '%index concurrently%'`.execute(db.k);
    } else await sql`select 1`.execute(db.k);
  }
}
