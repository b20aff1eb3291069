import * as texts from '#messages/service/http.ts';
import { setTimeout } from 'node:timers/promises';
import type {
  Adapter,
  Database,
  DatabaseLoad,
  Listener,
  Transaction,
  Isolation,
} from '../database.ts';
import { migrate, TRIGRAM_KEY } from '../migrations/migrate.ts';
import { refuseEmpty } from '../migrations/schema-ownership.ts';
import { assertNoNestedTransaction } from '../nested-transactions.ts';
import {
  PostgresConnections,
  type ConnectionLimits,
  type PostgresConnection,
} from './connection-pool.ts';
import { remedyOf } from './postgres-errors.ts';
import { FairSemaphore } from '../fair-semaphore.ts';
import { QueryEnd, type QueryLimits, type ReadContext } from '../query-limits.ts';
import { checkServer } from './server-check.ts';
import { OutcomeUnknown, PostgresTransaction, unavailable } from './postgres-transaction.ts';
import { Listeners } from '../listeners.ts';
import { listen, notify } from './notifications.ts';
import { postgresSettings } from './postgres-adapter.ts';
import type { TransactionSettings } from '../transaction.ts';
import { readSetting } from '../installation.ts';

/** How often a transaction is tried that meets others, and the longest pause between, in milliseconds. */
const MAX_ATTEMPTS = 12;
const MIN_PAUSE = 4;
const MAX_PAUSE = 300;

/** How often, and within how many milliseconds, a transaction is tried anew whose connection breaks. */
const MAX_CONNECTION_ATTEMPTS = 6;
const MAX_RECONNECT_TIME = 5_000;

const READ = 'begin isolation level repeatable read read only';

/** Connections that reads leave to writes, and the part of the others that the reads of one user hold at most. */
const LEFT_TO_WRITES = 2;
const MAX_SHARE_OF_ONE_USER = 0.5;

/** Durable even where the server, the database or the role is set up otherwise. */
const DURABLE = 'set local synchronous_commit to on';
const BEGIN: Record<Exclude<Isolation, 'autocommit'>, string> = {
  serializable: `begin isolation level serializable; ${DURABLE}`,
  'row locks': `begin isolation level read committed; ${DURABLE}`,
};

/** Sees what another process has made while the lock of the migrations was waited for. */
const MIGRATE = BEGIN['row locks'];

/**
 * Opens a PostgreSQL database and brings its tables up to date.
 * @param directUrl the same database without a pooler, for notifications
 * @throws {Error} with a message for the administrator where that cannot be
 */
export async function openPostgresDatabase(
  databaseUrl: string,
  limits: PostgresLimits = {},
  directUrl = databaseUrl,
): Promise<Database> {
  const trigram = await prepare(databaseUrl, (starting) => starting.migrate());
  const connections = new PostgresConnections(databaseUrl, limits);
  return new PostgresDatabase(connections, directUrl, trigram, limits);
}

/**
 * Opens a PostgreSQL database that exists, without changing its tables.
 * @param check throws where the database may not be used
 * @throws {Error} with a message for the administrator
 */
export async function openExistingPostgres(
  databaseUrl: string,
  access: 'read' | 'write',
  check: (db: Transaction) => Promise<void>,
  limits: PostgresLimits = {},
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

/** @throws {Error} with a message for the administrator where no Indexdesk has made its tables there */
export async function refuseEmptyPostgres(databaseUrl: string): Promise<void> {
  await prepare(databaseUrl, (starting) => starting.read(refuseEmpty));
}

/**
 * Runs what comes before a database is used, on connections of its own: without the limits of a process that serves, as
 * a migration may take its time.
 */
async function prepare<T>(
  databaseUrl: string,
  work: (database: PostgresDatabase) => Promise<T>,
): Promise<T> {
  const starting = new PostgresConnections(databaseUrl);
  try {
    await checkServer(starting);
    return await work(new PostgresDatabase(starting, databaseUrl, false));
  } finally {
    await starting.close();
  }
}

/** What a process that serves puts up with from its database and from other processes. */
export interface PostgresLimits extends ConnectionLimits, QueryLimits {
  /**
   * milliseconds after which a transaction that says nothing more is ended, so that a process that stands still
   * or is cut off gives its locks free
   */
  readonly idle?: number | undefined;
  /** milliseconds for which a lock is waited for; longer than `idle`, so that who waits outlasts who is gone */
  readonly lock?: number | undefined;
}

function bounded(begin: string, { idle, lock, query }: PostgresLimits): string {
  return [
    begin,
    // Where the server hears of no cancellation, such as behind a pooler that wants TLS.
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
  readonly #listeners = new Listeners();
  readonly #begin: Readonly<typeof BEGIN>;
  readonly #readOnly: boolean;
  readonly #beginRead: string;
  readonly #limits: QueryLimits;
  readonly #slots: FairSemaphore;
  #closing: Promise<void> | undefined;

  /** @param readOnly whether writes are refused; reads are transactions that cannot write anyway */
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
      serializable: bounded(BEGIN.serializable, { ...limits, query: undefined }),
      'row locks': bounded(BEGIN['row locks'], { ...limits, query: undefined }),
    };
    this.#beginRead = bounded(READ, { query: limits.query });
    this.#limits = limits;
    const reads = Math.max(1, connections.most - LEFT_TO_WRITES);
    this.#slots = new FairSemaphore(reads, Math.max(1, Math.floor(reads * MAX_SHARE_OF_ONE_USER)));
    this.#settings = postgresSettings(trigram);
    const { notify: _, ...readSettings } = this.#settings;
    this.#readSettings = readSettings;
    this.adapter = this.#settings.adapter;
    this.#listenUrl = listenUrl;
  }

  async read<T>(work: (db: Transaction) => Promise<T>, context: ReadContext = {}): Promise<T> {
    const end = new QueryEnd(context, this.#limits);
    try {
      const leave = await this.#slots.take(context.owner?.(), end.signal);
      try {
        return await this.#run(context.isBackground ? READ : this.#beginRead, work, end.signal);
      } finally {
        leave();
      }
    } finally {
      end.dispose();
    }
  }

  async write<T>(
    work: (db: Transaction) => Promise<T>,
    isolation: Isolation = 'serializable',
  ): Promise<T> {
    if (this.#readOnly) throw new Error('The database was opened to be read only.');
    if (isolation === 'autocommit') return this.#runWithoutTransaction(work);
    return this.#run(this.#begin[isolation], work);
  }

  /** @returns whether trigram indexes can be used */
  async migrate(): Promise<boolean> {
    const writtenAnew = await this.#run(MIGRATE, migrate);
    if (writtenAnew.length > 0) {
      // Processes that wait for the lock meanwhile see the tables as they were before: they go first.
      await this.#run(MIGRATE, migrate);
      await this.#vacuum(writtenAnew);
    }
    return this.read(areTrigramsUsable);
  }

  /** Lets indexes be read alone, which PostgreSQL's own vacuum would do only after many more changes. */
  async #vacuum(tables: readonly string[]): Promise<void> {
    const connection = await this.#connections.take('write');
    let done = false;
    try {
      await connection.run(`vacuum (analyze) ${tables.join(', ')}`);
      done = true;
    } finally {
      connection.release(!done);
    }
  }

  listen(heard: (payload: string | null) => void): Listener {
    const test = (payload: string) => this.read((db) => notify(db, payload));
    const local = this.#listeners.add(heard);
    const remote = listen(this.#listenUrl, test, heard);
    return {
      arrive: () => remote.arrive(),
      async close() {
        await local.close();
        await remote.close();
      },
    };
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
    return assertNoNestedTransaction(async () => {
      const connection = await this.#connections.take('write');
      let done = false;
      try {
        const result = await new PostgresTransaction(connection, null).run(work, this.#settings);
        done = true;
        return result;
      } finally {
        connection.release(!done);
      }
    });
  }

  async #run<T>(
    begin: string,
    work: (db: Transaction) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (this.#closing) throw new Error('The database is closed.');
    return assertNoNestedTransaction(() => this.#tryUntilDone(begin, work, signal));
  }

  async #tryUntilDone<T>(
    begin: string,
    work: (db: Transaction) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const until = performance.now() + MAX_RECONNECT_TIME;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#try(begin, work, signal);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof OutcomeUnknown) throw error.answer;
        switch (remedyOf(error)) {
          case 'again':
            if (attempt >= MAX_ATTEMPTS) {
              throw unavailable(texts.databaseBusy, error);
            }
            break;
          case 'again-once':
            if (attempt >= 2) throw error;
            break;
          case 'occupied':
            throw unavailable(texts.databaseBusy, error);
          case 'unprepared':
            if (attempt >= MAX_ATTEMPTS) throw error;
            this.#connections.giveUpNames();
            break;
          case 'elsewhere':
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
      // Those that met each other must not come back together.
      const pause = Math.min(MIN_PAUSE * 2 ** attempt, MAX_PAUSE);
      await setTimeout(pause * (0.5 + Math.random()));
    }
  }

  /** @param signal of a read: cancels it */
  async #try<T>(
    begin: string,
    work: (db: Transaction) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const connection = await this.#connections.take(signal ? 'read' : 'write');
    const cancel = () => connection.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    let usable = false;
    try {
      signal?.throwIfAborted();
      const payloads: string[] = [];
      const settings = signal ? this.#readSettings : collecting(this.#settings, payloads);
      const result = await new PostgresTransaction(connection, begin).run(work, settings);
      usable = true;
      // The next read of who wrote this must not depend on how fast the server notifies.
      for (const payload of payloads) this.#listeners.notify(payload);
      return result;
    } catch (error) {
      usable = staysUsable(error) && (await rolledBack(connection));
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      // A cancellation that comes late would meet what runs on the connection next.
      connection.release(!usable || signal?.aborted === true);
    }
  }
}

/** Settings of a write whose notifications are noted as well. */
function collecting(settings: TransactionSettings, payloads: string[]): TransactionSettings {
  return {
    ...settings,
    async notify(db, payload) {
      await notify(db, payload);
      payloads.push(payload);
    },
  };
}

/** Whether trigram indexes can be used, as the migrations found. */
async function areTrigramsUsable(db: Transaction): Promise<boolean> {
  return (await readSetting(db, TRIGRAM_KEY)) === '1';
}

/** Whether an error leaves the connection as one to go on with. */
function staysUsable(error: unknown): boolean {
  const remedy = remedyOf(error);
  return !(error instanceof OutcomeUnknown) && remedy !== 'reconnect' && remedy !== 'elsewhere';
}

/** Whether the connection can be used again. */
async function rolledBack(connection: PostgresConnection): Promise<boolean> {
  try {
    await connection.run('rollback');
    return true;
  } catch {
    return false;
  }
}
