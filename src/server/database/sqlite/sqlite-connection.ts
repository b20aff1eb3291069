import { messageOf } from '#server/lib/caught-errors.ts';
import { startsWord } from '#shared/values/fold.ts';
import { constants, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { addRuleFunctions } from './rule-functions.ts';
import { SqliteDriver, type DatabaseConnection, type SqliteStatement } from 'kysely';

/** How many prepared statements each connection caches. Preparing a statement again costs some 20 µs. */
const MAX_STATEMENTS = 500;

/**
 * How long a connection waits for another process's lock, in milliseconds; the wait blocks the process. A read-only
 * command has nothing else to do.
 */
const BUSY_TIMEOUT = 20;
const COMMAND_BUSY_TIMEOUT = 5_000;

/**
 * The page cache of each connection, in KiB. Pages that do not fit into the writer's cache go to the write-ahead log
 * before the commit, so a transaction may be larger than memory. The cache also limits the memory of a sort or an index
 * build before it uses temporary files (temp_store stays FILE for that reason: otherwise the pages of a savepoint and
 * the runs of a sort would all stay in memory).
 */
const CACHE_KIB = {
  writer: 24_576,
  /** in its own thread, for reads of many records */
  'read worker': 8_192,
  /** one of several in the main thread, whose reads are short where the database is large */
  reader: 2_048,
  /** of a command that may change nothing, not even the journal mode */
  'read only': 8_192,
} as const;
export type ConnectionRole = keyof typeof CACHE_KIB;

function pragmas(role: ConnectionRole): string[] {
  return [
    ...(role === 'read only' ? [] : ['journal_mode = WAL']),
    // Each commit waits until the log is on the disk.
    'synchronous = FULL',
    'foreign_keys = ON',
    'recursive_triggers = ON',
    // A schema created by someone else must not have more privileges than ours.
    'trusted_schema = OFF',
    `cache_size = -${CACHE_KIB[role]}`,
    // Mapped pages would count as memory per connection, and an I/O error would end the process.
    'mmap_size = 0',
    // Checkpoints after 4 MiB: a small log is overwritten in place, which syncs faster than a growing file.
    'wal_autocheckpoint = 1000',
    // The log is truncated to this size after a large load, in bytes.
    'journal_size_limit = 16777216',
    ...(role === 'writer' ? [] : ['query_only = ON']),
  ];
}

/** A connection to a SQLite database, with its prepared statements. */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();
  #writes = 0;
  readonly #beforeStatement: (() => void) | undefined;
  #kysely: DatabaseConnection | undefined;

  private constructor(database: DatabaseSync, beforeStatement: (() => void) | undefined) {
    this.#database = database;
    this.#beforeStatement = beforeStatement;
  }

  /**
   * Opens the database file; a writer also creates it.
   * @param beforeStatement called before each statement except those of `run`; the statement fails with its error
   */
  static async open(
    path: string,
    role: ConnectionRole,
    beforeStatement?: () => void,
  ): Promise<SqliteConnection> {
    const readOnly = role === 'read only';
    const timeout = readOnly ? COMMAND_BUSY_TIMEOUT : BUSY_TIMEOUT;
    const database = new DatabaseSync(path, { readOnly, timeout });
    try {
      for (const pragma of pragmas(role)) database.exec(`PRAGMA ${pragma}`);
      database.function('starts_word', { deterministic: true }, (text, start) =>
        text === null ? null : Number(startsWord(String(text), String(start))),
      );
      addRuleFunctions(database);
      const connection = new SqliteConnection(database, beforeStatement);
      const prepare = (sql: string) => connection.#checked(sql);
      const driver = new SqliteDriver({ database: { prepare, close: () => undefined } });
      await driver.init();
      connection.#kysely = await driver.acquireConnection();
      return connection;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** the connection in Kysely's interface */
  get kysely(): DatabaseConnection {
    if (!this.#kysely) throw new Error('The connection is not open yet.');
    return this.#kysely;
  }

  /** Whether a transaction is open; SQLite ends one by itself when the disk is full or fails. */
  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** The size of the database in bytes, including pages that are only in the write-ahead log. */
  get bytes(): number {
    const [row] = this.#prepare(
      'select page_count * page_size from pragma_page_count, pragma_page_size',
    ).values([]);
    return Number(row?.[0] ?? 0);
  }

  /** The number of statements that may have written, finished or begun; those of `run` do not count. */
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

  /** Ends the transaction without its changes, if one is open. */
  rollBack(): void {
    if (this.inTransaction) this.run('ROLLBACK');
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  /** Runs a statement without the check of all rows, which is a `pragma quick_check` within it. */
  readonly #withoutCheck = <T>(run: () => T): T => {
    const { SQLITE_PRAGMA, SQLITE_IGNORE, SQLITE_OK } = constants;
    this.#database.setAuthorizer((action, pragma) =>
      action === SQLITE_PRAGMA && pragma === 'quick_check' ? SQLITE_IGNORE : SQLITE_OK,
    );
    try {
      return run();
    } finally {
      this.#database.setAuthorizer(null);
    }
  };

  #checked(sql: string): PreparedStatement {
    this.#beforeStatement?.();
    return this.#prepare(sql);
  }

  #prepare(sql: string): PreparedStatement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      let prepared: StatementSync;
      try {
        prepared = this.#database.prepare(sql);
      } catch (error) {
        const [, index] = MISSING_INDEX.exec(messageOf(error)) ?? [];
        if (index === undefined) throw error;
        return this.#prepare(sql.replaceAll(` indexed by "${index}"`, ''));
      }
      const reads = prepared.columns().length > 0 && SELECT.test(sql);
      statement = new PreparedStatement(
        prepared,
        reads ? undefined : () => void (this.#writes += 1),
        ADDS_EMPTY_COLUMN.test(sql) ? this.#withoutCheck : undefined,
      );
      if (this.#statements.size >= MAX_STATEMENTS) this.#evictStatement();
      this.#statements.set(sql, statement);
    }
    statement.isRecentlyUsed = true;
    return statement;
  }

  /** Removes the first statement that was not used since it was last looked at (the CLOCK algorithm). */
  #evictStatement(): void {
    for (const [sql, statement] of this.#statements) {
      this.#statements.delete(sql);
      if (!statement.isRecentlyUsed) return;
      statement.isRecentlyUsed = false;
      this.#statements.set(sql, statement);
    }
  }
}

/**
 * A statement that adds a column without constraints and default, so that existing rows are null there. SQLite then reads
 * all rows of a strict table to check them (`sqlite3AlterFinishAddColumn`), although none can be wrong.
 */
const ADDS_EMPTY_COLUMN =
  /^\s*alter\s+table\s+"\w+"\s+add\s+column\s+"\w+"\s+(?:text|integer|real)\s*$/i;

/** The index of a field that is still to be created: until then the statement reads the table. */
const MISSING_INDEX = /^no such index: ((?:archive|table)_\d+_f\d+)$/;

/** A statement that begins with WITH may also read, but is taken for a write. */
const SELECT = /^\s*select\b/i;

/** Runs a statement with something before and after it. */
type Wrapper = <T>(run: () => T) => T;

/** A prepared statement of node:sqlite in the shape that Kysely requires. */
class PreparedStatement implements SqliteStatement {
  readonly #statement: StatementSync;
  readonly #beforeWrite: (() => void) | undefined;
  readonly #wrap: Wrapper;
  readonly reader: boolean;
  /** for the cache of statements */
  isRecentlyUsed = false;
  /** whether its rows come as arrays, else as objects */
  #arrays = false;

  constructor(
    statement: StatementSync,
    beforeWrite: (() => void) | undefined,
    wrap: Wrapper = (run) => run(),
  ) {
    this.#statement = statement;
    this.#beforeWrite = beforeWrite;
    this.#wrap = wrap;
    this.reader = statement.columns().length > 0;
  }

  all(parameters: readonly unknown[]): unknown[] {
    this.#beforeWrite?.();
    return this.#wrap(() => this.#as('objects').all(...parameters.map(toInput)));
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
    return this.#wrap(() => this.#statement.run(...parameters.map(toInput)));
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
