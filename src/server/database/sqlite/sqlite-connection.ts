import { startsWord } from '#shared/values/fold.ts';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { addRuleFunctions } from './rule-functions.ts';
import { SqliteDriver, type DatabaseConnection, type SqliteStatement } from 'kysely';

/** How many statements each connection keeps prepared. A statement prepared again costs some 20 µs. */
const MAX_STATEMENTS = 500;

/**
 * How long a connection waits, blocking the process, for another process's lock, in milliseconds. A command that only
 * reads has nothing else to do.
 */
const BUSY_TIMEOUT = 20;
const BUSY_TIMEOUT_OF_COMMANDS = 5_000;

/**
 * The page cache of each connection, in KiB. What does not fit into the writer's goes to the write-ahead
 * log before the commit, so that a transaction may be larger than memory. It also bounds what a sort or
 * the making of an index holds in memory before it goes to temporary files (temp_store stays at FILE for
 * that: the pages saved for a savepoint and the runs of a sort would otherwise all stay in memory).
 */
const CACHE_KIB = {
  writer: 24_576,
  /** in a thread of its own, for reads of many records */
  'reading thread': 8_192,
  /** one of several in the main thread, whose reads are short where the database is large */
  reader: 2_048,
  /** of a command that may change nothing, not even the way of logging */
  'read only': 8_192,
} as const;
export type Role = keyof typeof CACHE_KIB;

function pragmas(role: Role): string[] {
  return [
    ...(role === 'read only' ? [] : ['journal_mode = WAL']),
    // Each commit waits until the log is on the disk.
    'synchronous = FULL',
    'foreign_keys = ON',
    'recursive_triggers = ON',
    // A schema made by someone else must not be able to run more than ours.
    'trusted_schema = OFF',
    `cache_size = -${CACHE_KIB[role]}`,
    // Mapped pages would count as memory once per connection, and an I/O error would end the process.
    'mmap_size = 0',
    // Checkpoints after 4 MiB: a small log is written over in place, which syncs faster than one that grows.
    'wal_autocheckpoint = 1000',
    // What a large load has made it grow to is given back, in bytes.
    'journal_size_limit = 16777216',
    ...(role === 'writer' ? [] : ['query_only = ON']),
  ];
}

/** A connection to a SQLite database, with its statements, each prepared once. */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();
  #writes = 0;
  /** the connection as Kysely knows it */
  readonly kysely: DatabaseConnection;

  readonly #beforeStatement: (() => void) | undefined;

  private constructor(
    database: DatabaseSync,
    kysely: (prepare: Prepare) => DatabaseConnection,
    beforeStatement: (() => void) | undefined,
  ) {
    this.#database = database;
    this.#beforeStatement = beforeStatement;
    this.kysely = kysely((sql) => this.#checked(sql));
  }

  /**
   * Opens the database file, which a writer also creates.
   * @param beforeStatement called before each statement, which fails with what it throws; not before those of `run`
   */
  static async open(
    path: string,
    role: Role,
    beforeStatement?: () => void,
  ): Promise<SqliteConnection> {
    const readOnly = role === 'read only';
    const timeout = readOnly ? BUSY_TIMEOUT_OF_COMMANDS : BUSY_TIMEOUT;
    const database = new DatabaseSync(path, { readOnly, timeout });
    try {
      for (const pragma of pragmas(role)) database.exec(`PRAGMA ${pragma}`);
      database.function('starts_word', { deterministic: true }, (text, start) =>
        text === null ? null : Number(startsWord(String(text), String(start))),
      );
      addRuleFunctions(database);
      let prepare: Prepare = () => {
        throw new Error('The connection is not open yet.');
      };
      const driver = new SqliteDriver({
        database: { prepare: (sql) => prepare(sql), close: () => undefined },
      });
      await driver.init();
      const kysely = await driver.acquireConnection();
      const own = (ownPrepare: Prepare) => {
        prepare = ownPrepare;
        return kysely;
      };
      return new SqliteConnection(database, own, beforeStatement);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Whether a transaction is under way; SQLite ends one by itself when the disk is full or fails. */
  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** The size of the database in bytes, with what stands in the write-ahead log alone. */
  get bytes(): number {
    const [row] = this.#prepare(
      'select page_count * page_size from pragma_page_count, pragma_page_size',
    ).values([]);
    return Number(row?.[0] ?? 0);
  }

  /** How many statements were run, or begun, that may have written; those of `run` do not count. */
  get writes(): number {
    return this.#writes;
  }

  /** Runs a statement at once. @returns its rows, each as the values of its columns in their order */
  readonly rowsOf = (sql: string, parameters: readonly unknown[]): unknown[][] =>
    this.#checked(sql).values(parameters);

  /** Runs a statement without parameters and without rows, such as BEGIN. */
  run(sql: string): void {
    const before = this.#writes;
    this.#prepare(sql).run([]);
    this.#writes = before;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #checked(sql: string): PreparedStatement {
    this.#beforeStatement?.();
    return this.#prepare(sql);
  }

  #prepare(sql: string): PreparedStatement {
    let statement = this.#statements.get(sql);
    if (statement) {
      // Set again below, a map's order tells which statement was not used for the longest time.
      this.#statements.delete(sql);
    } else {
      const prepared = this.#database.prepare(sql);
      const reads = prepared.columns().length > 0 && SELECT.test(sql);
      statement = new PreparedStatement(
        prepared,
        reads ? undefined : () => void (this.#writes += 1),
      );
      if (this.#statements.size >= MAX_STATEMENTS) {
        const [oldest] = this.#statements.keys();
        if (oldest !== undefined) this.#statements.delete(oldest);
      }
    }
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** What may also begin with WITH is taken for a write. */
const SELECT = /^\s*select\b/i;

type Prepare = (sql: string) => SqliteStatement;

/** A prepared statement of node:sqlite in the shape that Kysely asks for. */
class PreparedStatement implements SqliteStatement {
  readonly #statement: StatementSync;
  readonly #beforeWrite: (() => void) | undefined;
  readonly reader: boolean;
  /** whether its rows come as arrays, else as objects */
  #arrays = false;

  constructor(statement: StatementSync, beforeWrite: (() => void) | undefined) {
    this.#statement = statement;
    this.#beforeWrite = beforeWrite;
    this.reader = statement.columns().length > 0;
  }

  all(parameters: readonly unknown[]): unknown[] {
    this.#beforeWrite?.();
    return this.#as('objects').all(...parameters.map(toInput));
  }

  values(parameters: readonly unknown[]): unknown[][] {
    this.#beforeWrite?.();
    const statement = this.#as('arrays');
    const inputs = parameters.map(toInput);
    if (!this.reader) {
      statement.run(...inputs);
      return [];
    }
    const rows: unknown[] = statement.all(...inputs);
    return rows.filter((row) => Array.isArray(row));
  }

  run(parameters: readonly unknown[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  } {
    this.#beforeWrite?.();
    return this.#statement.run(...parameters.map(toInput));
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    this.#beforeWrite?.();
    return this.#as('objects').iterate(...parameters.map(toInput));
  }

  #as(shape: 'arrays' | 'objects'): StatementSync {
    const arrays = shape === 'arrays';
    if (this.#arrays !== arrays) {
      this.#statement.setReturnArrays(arrays);
      this.#arrays = arrays;
    }
    return this.#statement;
  }
}

function toInput(value: unknown): SQLInputValue {
  if (value === null) return null;
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
      return value;
    default:
      if (value instanceof Uint8Array) return value;
      throw new TypeError(`A ${typeof value} cannot be stored.`);
  }
}

/** Whether an error says that another connection or process holds the lock (SQLITE_BUSY and its kinds). */
export function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === SQLITE_BUSY
  );
}
const SQLITE_BUSY = 5;
