import type {
  Adapter,
  Database,
  IndexProgress,
  Listener,
  Migrate,
  Transaction,
  Isolation,
  WriteOptions,
} from '../database.ts';
import type { DatabaseLoad } from '../database-load.ts';
import { assertNoNestedTransaction } from '../nested-transactions.ts';
import {
  PostgresConnections,
  type ConnectionLimits,
  type PostgresConnection,
} from './connection-pool.ts';
import type { TableFields } from '../records/columns.ts';
import { completeIndexes } from './complete-indexes.ts';
import { remedyOf } from './postgres-errors.ts';
import { FairSemaphore } from '../fair-semaphore.ts';
import { QueryCancellation, type QueryLimits, type ReadContext } from '../query-cancellation.ts';
import { assertSuitableServer } from './server-check.ts';
import { OutcomeUnknownError, PostgresTransaction } from './postgres-transaction.ts';
import { runWithRetries } from './transaction-retries.ts';
import { LocalListeners } from '../listeners.ts';
import { openListener, notify } from './notifications.ts';
import { postgresSettings } from './postgres-adapter.ts';
import type { TransactionSettings } from '../transaction.ts';
import { readSetting, TRIGRAM_KEY } from '../installation.ts';

/** How often a cancellation is requested until the query ends, in milliseconds. */
const CANCEL_INTERVAL = 500;

const READ = 'begin isolation level repeatable read read only';

/** Connections reserved for writes, and the share of the other connections that the reads of one user may hold. */
const RESERVED_FOR_WRITES = 2;
const MAX_SHARE_OF_ONE_USER = 0.5;

/** Makes commits durable even if the server, the database or the role is configured otherwise. */
const DURABLE = 'set local synchronous_commit to on';
/**
 * Plans prepared statements once for each connection. Writes, and reads of background loops, find records by their ids, so the
 * best plan does not depend on the parameters; planning again takes longer than the statements.
 */
const GENERIC_PLANS = 'set local plan_cache_mode to force_generic_plan';
/**
 * In kB, instead of 4 MB: the texts of some 3,000 records, so that no statement of a save or of most batches merges them
 * into the search index, but the background loop of `search-indexer.ts`.
 */
const PENDING_TEXTS = 'set local gin_pending_list_limit to 16384';
const BEGIN: Record<Exclude<Isolation, 'autocommit'>, string> = {
  serializable: `begin isolation level serializable; ${DURABLE}; ${GENERIC_PLANS}; ${PENDING_TEXTS}`,
  'read committed': `begin isolation level read committed; ${DURABLE}; ${GENERIC_PLANS}; ${PENDING_TEXTS}`,
};
const READ_IN_BACKGROUND = `${READ}; ${GENERIC_PLANS}`;

/** Sees what another process created while this one waited for the migration lock. */
const MIGRATE = `begin isolation level read committed; ${DURABLE}`;

/**
 * Opens a PostgreSQL database and brings its tables up to date.
 * @param directUrl the same database without a pooler, for notifications
 * @throws {OperatorError} with a message for the administrator if that cannot be
 */
export async function openPostgresDatabase(
  databaseUrl: string,
  migrate: Migrate,
  limits: PostgresLimits = {},
  directUrl = databaseUrl,
): Promise<Database> {
  const trigram = await prepare(databaseUrl, (starting) => starting.migrate(migrate));
  const connections = new PostgresConnections(databaseUrl, limits);
  return new PostgresDatabase(connections, directUrl, trigram, limits);
}

/**
 * Opens a PostgreSQL database that exists, without changing its tables.
 * @param check throws where the database may not be used
 * @throws {OperatorError} with a message for the administrator
 */
export async function openExistingPostgres(
  databaseUrl: string,
  access: 'read' | 'write',
  check: (db: Transaction) => Promise<void>,
  limits: PostgresLimits | undefined,
): Promise<Database> {
  const trigram = await prepare(databaseUrl, (starting) =>
    starting.read(async (db) => {
      await check(db);
      return areTrigramsUsable(db);
    }),
  );
  const connections = new PostgresConnections(databaseUrl, limits);
  return new PostgresDatabase(connections, databaseUrl, trigram, limits, access === 'read');
}

/**
 * Checks a PostgreSQL database that is not opened yet.
 * @param check throws where the database may not be used
 * @throws {OperatorError} with a message for the administrator
 */
export async function checkPostgres(
  databaseUrl: string,
  check: (db: Transaction) => Promise<void>,
): Promise<void> {
  await prepare(databaseUrl, (starting) => starting.read(check));
}

/**
 * Runs preparatory work on separate connections, without the limits of a serving process, because a migration may take
 * long.
 */
async function prepare<T>(
  databaseUrl: string,
  work: (database: PostgresDatabase) => Promise<T>,
): Promise<T> {
  const starting = new PostgresConnections(databaseUrl);
  try {
    await assertSuitableServer(starting);
    return await work(new PostgresDatabase(starting, databaseUrl, false));
  } finally {
    await starting.close();
  }
}

/** The time limits of a serving process. */
export interface PostgresLimits extends ConnectionLimits, QueryLimits {
  /**
   * milliseconds after which an idle transaction is ended, so that a process that hangs or is disconnected releases its
   * locks
   */
  readonly idle?: number | undefined;
  /** lock timeout in milliseconds; longer than `idle`, so that a waiter outlasts a holder that hangs */
  readonly lock?: number | undefined;
}

function withTimeLimits(begin: string, { idle, lock, query }: PostgresLimits): string {
  return [
    begin,
    // For a server that receives no cancel request, such as behind a pooler that requires TLS.
    ...(query === undefined ? [] : [`set local statement_timeout to ${query}`]),
    ...(idle === undefined ? [] : [`set local idle_in_transaction_session_timeout to ${idle}`]),
    ...(lock === undefined ? [] : [`set local lock_timeout to ${lock}`]),
  ].join('; ');
}

class PostgresDatabase implements Database {
  readonly adapter: Adapter;
  readonly #connections: PostgresConnections;
  readonly #settings: TransactionSettings;
  readonly #readSettings: TransactionSettings;
  readonly #listenUrl: string;
  readonly #listeners = new LocalListeners();
  readonly #begin: Readonly<typeof BEGIN>;
  readonly #readOnly: boolean;
  readonly #beginRead: string;
  readonly #limits: PostgresLimits;
  readonly #slots: FairSemaphore;
  #closing: Promise<void> | undefined;

  /** @param readOnly whether writes are refused; reads run in read-only transactions anyway */
  constructor(
    connections: PostgresConnections,
    listenUrl: string,
    trigram: boolean,
    limits: PostgresLimits = {},
    readOnly = false,
  ) {
    this.#connections = connections;
    this.#readOnly = readOnly;
    this.#begin = {
      serializable: withTimeLimits(BEGIN.serializable, { ...limits, query: undefined }),
      'read committed': withTimeLimits(BEGIN['read committed'], { ...limits, query: undefined }),
    };
    this.#beginRead = withTimeLimits(READ, { query: limits.query });
    this.#limits = limits;
    const reads = Math.max(1, connections.maxConnections - RESERVED_FOR_WRITES);
    this.#slots = new FairSemaphore(reads, Math.max(1, Math.floor(reads * MAX_SHARE_OF_ONE_USER)));
    this.#settings = postgresSettings(trigram);
    const { notify: _, ...readSettings } = this.#settings;
    this.#readSettings = readSettings;
    this.adapter = this.#settings.adapter;
    this.#listenUrl = listenUrl;
  }

  async read<T>(work: (db: Transaction) => Promise<T>, context: ReadContext = {}): Promise<T> {
    const end = new QueryCancellation(context, this.#limits);
    try {
      const releaseSlot = await this.#slots.acquire(context.owner?.(), end.signal);
      try {
        const begin = context.isBackground ? READ_IN_BACKGROUND : this.#beginRead;
        return await this.#run('read', begin, work, end.signal);
      } finally {
        releaseSlot();
      }
    } finally {
      end.dispose();
    }
  }

  async write<T>(
    work: (db: Transaction) => Promise<T>,
    { isolation = 'serializable', signal }: WriteOptions = {},
  ): Promise<T> {
    if (this.#readOnly) throw new Error('The database was opened to be read only.');
    if (isolation === 'autocommit') return this.#runWithoutTransaction(work);
    return this.#run('write', this.#begin[isolation], work, signal);
  }

  /** @returns whether trigram indexes can be used */
  async migrate(migrate: Migrate): Promise<boolean> {
    const rewrittenTables = await this.#run('write', MIGRATE, migrate);
    if (rewrittenTables.length > 0) {
      // Processes that wait for the lock see the tables as of the start of their wait, so this transaction must not
      // read first.
      await this.#run('write', MIGRATE, migrate);
      await this.#vacuum(rewrittenTables);
    }
    return this.read(areTrigramsUsable);
  }

  /** Vacuums tables so that index-only scans work; PostgreSQL's autovacuum would run only after many more changes. */
  async #vacuum(tables: readonly string[]): Promise<void> {
    await this.#withConnection((connection) =>
      connection.run(`vacuum (analyze) ${tables.join(', ')}`),
    );
  }

  async #withConnection<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const connection = await this.#connections.acquire('write');
    let done = false;
    try {
      const result = await work(connection);
      done = true;
      return result;
    } finally {
      connection.release(!done);
    }
  }

  listen(callback: (payload: string | null) => void): Listener {
    const test = (payload: string) => this.read((db) => notify(db, payload));
    const local = this.#listeners.add(callback);
    const remote = openListener(this.#listenUrl, test, callback);
    return {
      isReceiving: () => remote.isReceiving(),
      async close() {
        await local.close();
        await remote.close();
      },
    };
  }

  completeIndexes(
    collection: TableFields,
    progress: IndexProgress,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    return completeIndexes(this, collection, progress, signal, (work) => this.#unlimited(work));
  }

  /** Runs work on connections without the statement timeout of a serving process. */
  async #unlimited(work: (database: Database) => Promise<void>): Promise<void> {
    if (this.#limits.statement === undefined) return work(this);
    const connections = new PostgresConnections(this.#listenUrl, { maxConnections: 2 });
    const { trigram } = this.adapter;
    const database = new PostgresDatabase(connections, this.#listenUrl, trigram);
    try {
      await work(database);
    } finally {
      await database.close();
    }
  }

  untilQuiet(): Promise<void> {
    return Promise.resolve();
  }

  load(): DatabaseLoad {
    const load = this.#connections.load();
    const { connections } = load;
    const waiting = connections.waiting + this.#slots.waiting.length;
    return { ...load, connections: { ...connections, waiting } };
  }

  close(): Promise<void> {
    this.#closing ??= this.#connections.close();
    return this.#closing;
  }

  async #runWithoutTransaction<T>(work: (db: Transaction) => Promise<T>): Promise<T> {
    if (this.#closing) throw new Error('The database is closed.');
    return assertNoNestedTransaction(() =>
      this.#withConnection((connection) =>
        new PostgresTransaction(connection, null).run(work, this.#settings),
      ),
    );
  }

  async #run<T>(
    access: 'read' | 'write',
    begin: string,
    work: (db: Transaction) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (this.#closing) throw new Error('The database is closed.');
    return assertNoNestedTransaction(() =>
      runWithRetries(() => this.#runOnce(access, begin, work, signal), {
        disablePreparedStatements: () => this.#connections.disablePreparedStatements(),
        signal,
      }),
    );
  }

  /** @param signal cancels it */
  async #runOnce<T>(
    access: 'read' | 'write',
    begin: string,
    work: (db: Transaction) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const connection = await this.#connections.acquire(access);
    let repetition: NodeJS.Timeout | undefined;
    const cancel = () => {
      connection.cancel();
      // A request that arrives between two statements cancels neither.
      repetition = setInterval(() => connection.cancel(), CANCEL_INTERVAL).unref();
    };
    signal?.addEventListener('abort', cancel, { once: true });
    let usable = false;
    try {
      signal?.throwIfAborted();
      const payloads: string[] = [];
      const settings =
        access === 'read' ? this.#readSettings : collectNotifications(this.#settings, payloads);
      const result = await new PostgresTransaction(connection, begin).run(work, settings);
      usable = true;
      // The next read by the writer must not depend on how fast the server notifies.
      for (const payload of payloads) this.#listeners.notify(payload);
      return result;
    } catch (error) {
      usable = isConnectionUsable(error) && (await tryRollBack(connection));
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      clearInterval(repetition);
      // A late cancel request would hit the next statement on the connection.
      connection.release(!usable || signal?.aborted === true);
    }
  }
}

/** Settings of a write that also collect its notifications. */
function collectNotifications(
  settings: TransactionSettings,
  payloads: string[],
): TransactionSettings {
  return {
    ...settings,
    async notify(db, payload) {
      await notify(db, payload);
      payloads.push(payload);
    },
  };
}

/** Whether trigram indexes can be used, as determined by the migrations. */
async function areTrigramsUsable(db: Transaction): Promise<boolean> {
  return (await readSetting(db, TRIGRAM_KEY)) === '1';
}

/** Whether the connection is usable after an error. */
function isConnectionUsable(error: unknown): boolean {
  const remedy = remedyOf(error);
  return (
    !(error instanceof OutcomeUnknownError) &&
    remedy !== 'reconnect' &&
    remedy !== 'reconnect-to-primary'
  );
}

/** Whether the connection can be used again. */
async function tryRollBack(connection: PostgresConnection): Promise<boolean> {
  try {
    await connection.run('rollback');
    return true;
  } catch {
    return false;
  }
}
