import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { pause } from '#server/background-loop.ts';
import type { Database, Transaction } from './database.ts';

/** Any numbers, as long as no other program takes the same locks in this database. Older versions take the same. */
const ADVISORY_LOCKS = {
  indexes: '7597120008394930291',
  once: '7597120008394927982',
  sequencing: '7597120008394929505',
} as const;
type ProcessLock = keyof typeof ADVISORY_LOCKS;

/** How often a process that waits for the lock tries to take it, in milliseconds. */
const TRY_EVERY = 500;
/** How often the transaction that holds the lock runs a statement, so that it is not ended as idle, in milliseconds. */
const RENEW_EVERY = 5_000;

/** What cancels a statement that runs on a connection, by the connection's process id on the server. */
interface Cancellation {
  /** the process id; null while nothing is to be cancelled */
  pid: number | null;
}

/**
 * Runs `work` while no other process on the database holds the lock: at once where one process uses the database (SQLite). On
 * PostgreSQL the lock is of a transaction of its own, so it ends with the process and works behind a pooler.
 * @param signal when aborted, waiting ends, and the statement on the connection that `work` has noted is cancelled
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
      if (isLocked) await hold(db, done.signal, signal, cancellation);
    }, 'row locks');
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
    // To wait for the lock in PostgreSQL is a snapshot, for whose end `create index concurrently` waits.
    await setTimeout(TRY_EVERY, undefined, { signal });
  }
}

/** Takes the lock until the end of the transaction, where no other process holds it; on SQLite none can. */
export async function tryProcessLock(db: Transaction, lock: ProcessLock): Promise<boolean> {
  if (!db.adapter.isShared) return true;
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(ADVISORY_LOCKS[lock])}::bigint) as locked`.execute(
    db.k,
  );
  return rows[0]?.locked === true;
}

/** Keeps the transaction of the lock alive until the work is done. */
async function hold(
  db: Transaction,
  done: AbortSignal,
  cancel: AbortSignal,
  cancellation: Cancellation,
): Promise<void> {
  while (!done.aborted) {
    const wake = cancel.aborted ? done : AbortSignal.any([done, cancel]);
    await pause(RENEW_EVERY, wake);
    if (cancel.aborted && cancellation.pid !== null) {
      // A pooler may have given the server's connection to another since.
      await sql`select pg_cancel_backend(pid) from pg_stat_activity
        where pid = ${cancellation.pid} and query like '%index concurrently%'`.execute(db.k);
    } else await sql`select 1`.execute(db.k);
  }
}
