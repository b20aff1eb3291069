import { PostgresDriver, type DatabaseConnection } from 'kysely';
import { Pool, types, type PoolClient } from 'pg';
import type { DatabaseLoad } from '../database-load.ts';
import { requestCancel } from './cancel-request.ts';
import { PreparedNames } from './prepared-names.ts';
import { QueueStats } from '../queue-stats.ts';

/** Default for the connections of a process. */
const MAX_CONNECTIONS = 10;

/** Maximum age of a connection in seconds, because the address may meanwhile lead to another server. */
const MAX_CONNECTION_AGE = 300;

/** TCP keep-alive delay of an idle connection, in milliseconds. */
const KEEP_ALIVE_DELAY = 10_000;

/** Time limit for getting a connection, in milliseconds. */
const MAX_WAIT = 15_000;

/** An int8 as a number; throws beyond 2^53 rather than rounding. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`${text} is too large to be read as a number.`);
  }
  return value;
}

/** Dates stay text, because as instants they would depend on the time zone of the process. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, parseInt8],
  [types.builtins.NUMERIC, Number],
  [types.builtins.DATE, String],
]);

function parserOf(type: number): (text: string) => unknown {
  return PARSERS.get(type) ?? types.getTypeParser(type);
}

interface Notice {
  readonly severity: string | undefined;
  readonly message: string | undefined;
}

export interface ConnectionLimits {
  /** maximum number of connections */
  readonly maxConnections?: number | undefined;
  /** statement timeout in milliseconds, after which the connection counts as lost: the server may not exist any more */
  readonly statement?: number | undefined;
}

/** A connection taken from the pool. */
export interface PostgresConnection {
  /** the connection in Kysely's interface */
  readonly kysely: DatabaseConnection;
  /**
   * Runs statements without parameters, such as BEGIN.
   * @returns the command tag of the last one, and a warning that the server sent meanwhile
   */
  run(sql: string): Promise<{ readonly command: string; readonly warning: string | null }>;
  /**
   * Runs a statement that is used often, prepared once per connection.
   * @returns its rows, each as the values of its columns in their order
   */
  rows(text: string, parameters: readonly unknown[]): Promise<unknown[][]>;
  /**
   * Requests that the server cancels the statement that runs on the connection, which then fails. Errors are ignored.
   */
  cancel(): void;
  /** Returns the connection to the pool, or closes it. */
  release(close: boolean): void;
}

/**
 * Sends everything written in one turn of the event loop in one packet, because each packet costs as much as a small
 * statement.
 */
function batchPackets({ connection: { stream } }: PoolClient): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * The connections to a PostgreSQL database. They keep no session settings, so they may be those of PgBouncer. They use
 * prepared statements until this proves impossible. Statements are pipelined: sent without waiting for earlier answers.
 */
export class PostgresConnections {
  readonly #pool: Pool;
  readonly #waiting = { read: new QueueStats(), write: new QueueStats() };
  readonly #kyselyConnections = new WeakMap<PoolClient, DatabaseConnection>();

  /** maximum number of connections */
  readonly maxConnections: number;
  readonly #names = new PreparedNames();

  /** @param limits of a process that serves; without them a statement may take as long as it needs */
  constructor(
    databaseUrl: string,
    { maxConnections = MAX_CONNECTIONS, statement }: ConnectionLimits = {},
  ) {
    this.maxConnections = maxConnections;
    this.#pool = new Pool({
      connectionString: databaseUrl,
      fallback_application_name: 'indexdesk',
      max: maxConnections,
      pipeline: true,
      connectionTimeoutMillis: MAX_WAIT,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
      maxLifetimeSeconds: MAX_CONNECTION_AGE,
      ...(statement === undefined ? {} : { query_timeout: statement }),
      types: { getTypeParser: parserOf },
    });
    // The pool replaces a connection that breaks while idle; without a listener the event would end the process.
    this.#pool.on('error', () => undefined);
    // The same applies to a connection that breaks between two statements: the next statement reports the error.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** @param purpose what the connection is wanted for */
  async acquire(purpose: 'read' | 'write'): Promise<PostgresConnection> {
    const endWait = this.#waiting[purpose].startWait();
    let client: PoolClient;
    try {
      client = await this.#pool.connect();
    } finally {
      endWait();
    }
    return {
      kysely: await this.#kyselyOf(client),
      run: async (sql) => {
        let warning: string | null = null;
        const listen = ({ severity, message }: Notice) => {
          if (severity === 'WARNING') warning = message ?? severity;
        };
        client.on('notice', listen);
        batchPackets(client);
        try {
          // Several statements at once return a list of results.
          const answer = [await client.query(sql)].flat().at(-1);
          return { command: answer?.command ?? '', warning };
        } finally {
          client.off('notice', listen);
        }
      },
      rows: async (text, parameters) => {
        const name = this.#names.nameOf(text);
        const values = [...parameters];
        batchPackets(client);
        const { rows } = await client.query<unknown[]>({
          text,
          values,
          rowMode: 'array',
          ...(name === undefined ? {} : { name }),
        });
        return rows;
      },
      cancel: () => requestCancel(client),
      release: (close) => client.release(close),
    };
  }

  /** Stops the use of prepared statements, because a pooler reassigns connections after each transaction. */
  disablePreparedStatements(): void {
    this.#names.disable();
  }

  load(): DatabaseLoad {
    const { read, write } = this.#waiting;
    return {
      waitingWrites: write.length,
      longestWait: Math.max(read.longestWait, write.longestWait),
      writes: write.finishedWaits,
      connections: {
        max: this.maxConnections,
        open: this.#pool.totalCount,
        idle: this.#pool.idleCount,
        waiting: this.#pool.waitingCount,
      },
    };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #kyselyOf(client: PoolClient): Promise<DatabaseConnection> {
    const known = this.#kyselyConnections.get(client);
    if (known) return known;
    const pool = {
      connect: () => Promise.resolve(client),
      end: () => Promise.resolve(),
      options: {},
    };
    const driver = new PostgresDriver({ pool });
    await driver.init();
    const connection = await driver.acquireConnection();
    this.#kyselyConnections.set(client, connection);
    return connection;
  }
}
