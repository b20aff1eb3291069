import type { Kysely } from 'kysely';
import type { ReadContext } from './query-limits.ts';
import type { FilterCache } from './records/filter-cache.ts';
import type { SystemSchema } from './schema.ts';

/** What may be sent without waiting for its answer: what cannot fail to be converted. */
export type Sent = string | number | boolean | null;

/** One snapshot or one transaction: what stores take as their first argument. */
export interface Transaction {
  readonly k: Kysely<SystemSchema>;
  /**
   * Runs a statement and gives the values of its rows, without Kysely's way, which takes longer than most statements:
   * for `runText`. At once on SQLite; null where that cannot be (a snapshot still without a connection); undefined, and
   * nothing run, while a statement of `k` is under way. PostgreSQL keeps it prepared.
   */
  readonly direct:
    | ((
        text: string,
        parameters: readonly unknown[],
      ) => unknown[][] | Promise<unknown[][]> | undefined)
    | null;
  /**
   * Sends a statement whose answer nobody waits for before the transaction's end, which fails where it failed: for
   * `sendText`. null on SQLite, where nothing is sent
   */
  readonly send: ((text: string, parameters: readonly Sent[]) => void) | null;
  readonly dialect: 'sqlite' | 'postgres';
  /** whether PostgreSQL's trigram indexes (pg_trgm) can be used; false on SQLite */
  readonly trigram: boolean;
  /**
   * Runs a procedure (`workers/procedures.ts`) in a thread that reads on a snapshot of its own, which may be newer;
   * null: what is to be read is read here
   */
  readonly runInReadWorker:
    | (<Result>(name: string, args: readonly unknown[]) => Promise<Result>)
    | null;
  /** what is kept from one snapshot to the next, in a thread that reads; else null */
  readonly kept: FilterCache | null;
}

/**
 * What writes that run at the same time may see of each other on PostgreSQL; on SQLite they run one after the
 * other.
 * - `serializable`: they do to each other what they would do one after the other. The price are transactions
 *   that are run again although they had nothing to do with each other (rows on one page of an index).
 * - `row locks`: each statement sees what is committed before it. For work that locks the rows it depends on
 *   before it reads them, and leaves the rest to constraints.
 * - `autocommit`: no transaction at all, each statement is committed by itself and `work` runs once: for what
 *   PostgreSQL does outside of transactions only, such as making an index while others write.
 */
export type Isolation = 'serializable' | 'row locks' | 'autocommit';

/**
 * How long a write takes, as far as that can be told before it.
 * - `large`: it writes many records; on SQLite others go before it while it waits for its turn, but not for ever
 */
export type Weight = 'usual' | 'large';

/** The database of the service. Neither `read` nor `write` may be called within the other. */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  /**
   * Runs `work` on one consistent snapshot, in which nothing can be written.
   * @throws {ApiError} `unavailable` where it takes longer than a query may, or its client has left
   */
  read<T>(work: (db: Transaction) => Promise<T>, context?: ReadContext): Promise<T>;
  /**
   * Runs `work` as one transaction, serializable unless said otherwise, and resolves only after its durable
   * commit. Rejects with what `work` threw, nothing written. A statement that failed fails the whole, even where its error was
   * caught. `work` may be run again, so it has no side effects outside the database, and it awaits nothing
   * but its own statements and `yieldToEventLoop`.
   * @throws {ApiError} `unavailable` where the database cannot be reached or is occupied, or where the
   * connection broke during the commit, so that the outcome is unknown
   */
  write<T>(
    work: (db: Transaction) => Promise<T>,
    isolation?: Isolation,
    weight?: Weight,
  ): Promise<T>;
  /** What waits for the database at the moment, without asking it. */
  load(): DatabaseLoad;
  /** Waits for what is under way, refuses what comes after. */
  close(): Promise<void>;
}

/** How busy a process's way to its database is. */
export interface DatabaseLoad {
  /** writes that wait: on SQLite for the one that writes, on PostgreSQL for a connection */
  readonly waitingWrites: number;
  /** milliseconds for which whatever waits longest has been waiting */
  readonly longestWait: number;
  /** writes that have had their turn since the start, and for how many milliseconds they waited together */
  readonly writes: { readonly count: number; readonly waited: number };
  readonly connections: {
    readonly most: number;
    readonly open: number;
    readonly idle: number;
    /** reads and writes that wait for one */
    readonly waiting: number;
  };
}

/** Whether all writes wait for each other, as on SQLite: what can be done before a transaction is then done before it. */
export function hasOneWriter({ dialect }: Pick<Transaction, 'dialect'>): boolean {
  return dialect === 'sqlite';
}
