import { PostgresDriver, type DatabaseConnection } from 'kysely';
import { Pool, types, type PoolClient } from 'pg';
import type { DatabaseLoad } from './database.ts';
import { Waiting } from './waiting.ts';

/** How many connections a process keeps at most. */
const MOST_CONNECTIONS = 10;

/** How long a connection is waited for, in milliseconds. */
const LONGEST_WAIT = 15_000;

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

/** A connection taken from the pool. */
export interface PostgresConnection {
  /** the connection as Kysely knows it */
  readonly kysely: DatabaseConnection;
  /**
   * Runs statements without parameters, such as BEGIN.
   * @returns what the last of them was, in PostgreSQL's words
   */
  run(sql: string): Promise<string>;
  /** Gives the connection back, or ends it. */
  release(end: boolean): void;
}

/** The connections to a PostgreSQL database. No setting is kept on them, so they may be a PgBouncer's. */
export class PostgresConnections {
  readonly #pool: Pool;
  readonly #waiting = { read: new Waiting(), write: new Waiting() };
  readonly #known = new WeakMap<PoolClient, DatabaseConnection>();

  constructor(databaseUrl: string) {
    this.#pool = new Pool({
      connectionString: databaseUrl,
      fallback_application_name: 'indexdesk',
      max: MOST_CONNECTIONS,
      connectionTimeoutMillis: LONGEST_WAIT,
      keepAlive: true,
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
        // Several statements at once answer with a list.
        const answer = [await client.query(sql)].flat().at(-1);
        return answer?.command ?? '';
      },
      release: (end) => client.release(end),
    };
  }

  load(): DatabaseLoad {
    const { read, write } = this.#waiting;
    return {
      waitingWrites: write.length,
      longestWait: Math.max(read.longest, write.longest),
      writes: write.past,
      connections: {
        most: MOST_CONNECTIONS,
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
