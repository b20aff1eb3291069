import { PostgresDriver, type DatabaseConnection } from 'kysely';
import { Pool, types, type PoolClient } from 'pg';
import type { DatabaseLoad } from '../database.ts';
import { requestCancel } from './cancel-request.ts';
import { PreparedNames } from './statement-names.ts';
import { QueueStats } from '../queue-stats.ts';

/** How many connections a process keeps at most, where nothing else is said. */
const MAX_CONNECTIONS = 10;

/** When a connection is replaced, in seconds: the address may lead to another server since. */
const MAX_CONNECTION_AGE = 300;

/** When a connection on which nothing is said is asked for a sign of life, in milliseconds. */
const QUIET_FOR = 10_000;

/** How long a connection is waited for, in milliseconds. */
const MAX_WAIT = 15_000;

/** An int8 as a number; one beyond 2^53 is refused rather than rounded. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`${text} is too large to be read as a number.`);
  }
  return value;
}

/** Dates stay text: as instants they would depend on the time zone of the process. */
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
  /** connections at most */
  readonly most?: number | undefined;
  /** milliseconds after which a statement's connection counts as lost: its other end may be gone */
  readonly statement?: number | undefined;
}

/** A connection taken from the pool. */
export interface PostgresConnection {
  /** the connection as Kysely knows it */
  readonly kysely: DatabaseConnection;
  /**
   * Runs statements without parameters, such as BEGIN.
   * @returns what the last of them was, in PostgreSQL's words, and its warning meanwhile
   */
  run(sql: string): Promise<{ readonly command: string; readonly warning: string | null }>;
  /**
   * Runs a statement whose text comes again and again, prepared once for each connection.
   * @returns its rows, each as the values of its columns in their order
   */
  rows(text: string, parameters: readonly unknown[]): Promise<unknown[][]>;
  /** Asks the server to cancel what runs on the connection, which then fails; nothing is said where that cannot be. */
  cancel(): void;
  /** Gives the connection back, or ends it. */
  release(end: boolean): void;
}

/** What is asked in one turn of the event loop goes in one packet: each takes as long as a small statement. */
function gather({ connection: { stream } }: PoolClient): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * The connections to a PostgreSQL database. No setting is kept on them, so they may be a PgBouncer's; prepared statements
 * are until that turns out to be wrong. Statements are sent without waiting for the answers of those before them.
 */
export class PostgresConnections {
  readonly #pool: Pool;
  readonly #waiting = { read: new QueueStats(), write: new QueueStats() };
  readonly #known = new WeakMap<PoolClient, DatabaseConnection>();

  /** connections at most */
  readonly most: number;
  readonly #names = new PreparedNames();

  /** @param limits of a process that serves; without, a statement may take as long as it needs */
  constructor(databaseUrl: string, { most = MAX_CONNECTIONS, statement }: ConnectionLimits = {}) {
    this.most = most;
    this.#pool = new Pool({
      connectionString: databaseUrl,
      fallback_application_name: 'indexdesk',
      max: most,
      pipeline: true,
      connectionTimeoutMillis: MAX_WAIT,
      keepAlive: true,
      keepAliveInitialDelayMillis: QUIET_FOR,
      maxLifetimeSeconds: MAX_CONNECTION_AGE,
      ...(statement === undefined ? {} : { query_timeout: statement }),
      types: { getTypeParser: parserOf },
    });
    // The pool replaces a connection that breaks while idle; unheard, the event would end the process.
    this.#pool.on('error', () => undefined);
    // Nor may one do so that breaks between two statements: the next statement tells of it.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** @param purpose what the connection is wanted for */
  async take(purpose: 'read' | 'write'): Promise<PostgresConnection> {
    const begin = this.#waiting[purpose].begin();
    let client: PoolClient;
    try {
      client = await this.#pool.connect();
    } finally {
      begin();
    }
    return {
      kysely: await this.#kyselyOf(client),
      run: async (sql) => {
        let warning: string | null = null;
        const listen = ({ severity, message }: Notice) => {
          if (severity === 'WARNING') warning = message ?? severity;
        };
        client.on('notice', listen);
        gather(client);
        try {
          // Several statements at once answer with a list.
          const answer = [await client.query(sql)].flat().at(-1);
          return { command: answer?.command ?? '', warning };
        } finally {
          client.off('notice', listen);
        }
      },
      rows: async (text, parameters) => {
        const name = this.#names.nameOf(text);
        const values = [...parameters];
        gather(client);
        const { rows } = await client.query<unknown[]>({
          text,
          values,
          rowMode: 'array',
          ...(name === undefined ? {} : { name }),
        });
        return rows;
      },
      cancel: () => requestCancel(client),
      release: (end) => client.release(end),
    };
  }

  /** Statements are prepared no more: what stands between gives connections to others after each transaction. */
  giveUpNames(): void {
    this.#names.giveUp();
  }

  load(): DatabaseLoad {
    const { read, write } = this.#waiting;
    return {
      waitingWrites: write.length,
      longestWait: Math.max(read.longest, write.longest),
      writes: write.past,
      connections: {
        most: this.most,
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
    const known = this.#known.get(client);
    if (known) return known;
    const pool = {
      connect: () => Promise.resolve(client),
      end: () => Promise.resolve(),
      options: {},
    };
    const driver = new PostgresDriver({ pool });
    await driver.init();
    const connection = await driver.acquireConnection();
    this.#known.set(client, connection);
    return connection;
  }
}
