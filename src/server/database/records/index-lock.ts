import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Transaction } from '../database.ts';

/** Any number, as long as no other program takes the same lock in this database: "indexdxs" in ASCII. */
const ADVISORY_LOCK = '7597120008394930291';

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
 * Runs `work` on PostgreSQL while no other process makes indexes: to another one an index that is being made is invalid,
 * and it would drop it. The lock is of a transaction of its own, so it ends with the process and works behind a pooler.
 * @param signal when aborted, waiting ends, and the statement on the connection that `work` has noted is cancelled
 */
export async function withIndexLock(
  database: Database,
  signal: AbortSignal,
  work: (cancellation: Cancellation) => Promise<void>,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const cancellation: Cancellation = { pid: null };
    const done = new AbortController();
    const locked = Promise.withResolvers<boolean>();
    const holding = database.write(async (db) => {
      const isLocked = await tryLock(db);
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

async function tryLock(db: Transaction): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)}::bigint) as locked`.execute(db.k);
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
    await setTimeout(RENEW_EVERY, undefined, { signal: wake }).catch(() => undefined);
    if (cancel.aborted && cancellation.pid !== null) {
      // A pooler may have given the server's connection to another since.
      await sql`select pg_cancel_backend(pid) from pg_stat_activity
        where pid = ${cancellation.pid} and query like '%index concurrently%'`.execute(db.k);
    } else await sql`select 1`.execute(db.k);
  }
}
