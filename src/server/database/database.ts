import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { refuseHalfCopy } from './copying/copy-state.ts';
import { refuseHalfRestore } from './data-directory.ts';
import { refuseOtherVersion } from './migrations/migrate.ts';
import { refuseEmpty } from './migrations/schema-ownership.ts';
import {
  openExistingPostgres,
  openPostgresDatabase,
  refuseEmptyPostgres,
  type PostgresLimits,
} from './postgres/postgres-database.ts';
import type { QueryLimits, ReadContext } from './query-limits.ts';
import type { FilterCache } from './records/filter-cache.ts';
import type { SystemSchema } from './schema.ts';
import type { Sent } from './transaction.ts';
import { openExistingSqlite } from './sqlite/existing-database.ts';
import { openSqliteDatabase, SQLITE_FILE } from './sqlite/sqlite-database.ts';

/** One snapshot or one transaction: what stores take as their first argument. */
export interface Db {
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
  read<T>(work: (db: Db) => Promise<T>, context?: ReadContext): Promise<T>;
  /**
   * Runs `work` as one transaction, serializable unless said otherwise, and resolves only after its durable
   * commit. Rejects with what `work` threw, nothing written. A statement that failed fails the whole, even where its error was
   * caught. `work` may be run again, so it has no side effects outside the database, and it awaits nothing
   * but its own statements and `yieldToEventLoop`.
   * @throws {ApiError} `unavailable` where the database cannot be reached or is occupied, or where the
   * connection broke during the commit, so that the outcome is unknown
   */
  write<T>(work: (db: Db) => Promise<T>, isolation?: Isolation, weight?: Weight): Promise<T>;
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

export interface DatabaseConfig {
  /** the directory of the SQLite database and of the files */
  readonly dataDir: string;
  /** `postgres://…`; without it SQLite in `dataDir` */
  readonly databaseUrl?: string | undefined;
  /** how long the database may take; without, as long as it takes, as commands need that run alone */
  readonly limits?: (PostgresLimits & QueryLimits) | undefined;
}

/**
 * What opening a database may do to it.
 * - `upgrade`: makes it where it is missing, and brings its tables up to date
 * - `write`: its rows are read and written; it must exist with the tables of this version
 * - `read`: the same, and nothing is written
 */
export type DatabaseAccess = 'upgrade' | 'write' | 'read';

export interface OpenOptions {
  /** `upgrade` where it is not given */
  readonly access?: DatabaseAccess;
  /** with `read`: the tables may be those of another version */
  readonly anyVersion?: boolean;
  /** whether it may be an unfinished copy or restore: for what completes it */
  readonly unfinished?: boolean;
}

/**
 * Refuses a database that does not exist, or is empty: opening it with `upgrade` would make it.
 * @throws {Error} with a message for the administrator
 */
export async function refuseMissingDatabase({
  dataDir,
  databaseUrl,
}: DatabaseConfig): Promise<void> {
  if (databaseUrl !== undefined) return refuseEmptyPostgres(databaseUrl);
  // A file of no bytes is what a database becomes that is lost.
  const size = await stat(join(dataDir, SQLITE_FILE)).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) {
    throw new Error(
      `There is no Indexdesk database in ${dataDir}. Name the data directory of an installation; ` +
        '`indexdesk serve` makes a new one.',
    );
  }
}

/**
 * Opens a database.
 * @throws {Error} with a message for the administrator where that cannot be, or the database is of a version that
 * `access` does not allow
 */
export async function openDatabase(
  config: DatabaseConfig,
  options: OpenOptions = {},
): Promise<Database> {
  const { unfinished = false } = options;
  if (!unfinished) await refuseHalfRestore(config.dataDir);
  const database = await openByAccess(config, options);
  if (unfinished) return database;
  try {
    await database.read(refuseHalfCopy);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function openByAccess(
  config: DatabaseConfig,
  { access = 'upgrade', anyVersion = false }: OpenOptions,
): Promise<Database> {
  const { dataDir, databaseUrl, limits } = config;
  if (access === 'upgrade') {
    return databaseUrl === undefined
      ? openSqliteDatabase(dataDir, { query: limits?.query })
      : openPostgresDatabase(databaseUrl, limits);
  }
  const check = anyVersion ? refuseEmpty : refuseOtherVersion;
  if (databaseUrl !== undefined) return openExistingPostgres(databaseUrl, access, check, limits);
  await refuseMissingDatabase(config);
  return openExistingSqlite(dataDir, access, check);
}

/** Whether all writes wait for each other, as on SQLite: what can be done before a transaction is then done before it. */
export function hasOneWriter({ dialect }: Pick<Db, 'dialect'>): boolean {
  return dialect === 'sqlite';
}

/** How long other requests may be kept waiting by a loop, in milliseconds. */
const BREATH_EVERY = 10;
let lastBreath = 0;

/** Called in long loops: lets other work of the process run where the last time was more than 10 ms ago. */
export async function yieldToEventLoop(): Promise<void> {
  if (performance.now() - lastBreath < BREATH_EVERY) return;
  await setImmediate();
  lastBreath = performance.now();
}
