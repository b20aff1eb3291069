import type { BackgroundLoop } from '#server/lib/background-loop.ts';
import type { WarningLog } from '#server/lib/warning-log.ts';
import type { Kysely, RawBuilder } from 'kysely';
import type { ReadContext } from './query-cancellation.ts';
import type { Collection } from './records/collection.ts';
import type { CollectionRef, ColumnValue, StoredField, TableFields } from './records/columns.ts';
import type { ComparedRecords, RecordKey } from './records/compared-records.ts';
import type { ListReader } from './records/list-reader.ts';
import type { RuleSql } from './records/rule-sql.ts';
import type { SystemSchema } from './schema.ts';
import type { SqlSyntax } from './sql-syntax.ts';
import type { DatabaseLoad } from './database-load.ts';

/**
 * A statement that is compiled once per kind of database, because compiling takes several times as long as running it.
 */
export interface CachedStatement {
  /**
   * the object that the text depends on, such as a definition or a function; the text is cached for the owner's
   * lifetime
   */
  readonly owner: object;
  /** identifies the statement among those of its owner */
  readonly name: string;
  /** builds it with placeholders, in the order of the parameters of each run */
  readonly build: () => RawBuilder<unknown>;
}

/** One snapshot or one transaction: what stores take as their first argument. */
export interface Transaction {
  readonly adapter: Adapter;
  /** whether it is of `Database.write` */
  readonly isWrite: boolean;
  /** when it began, in milliseconds (`performance.now`): it sees everything that was committed before */
  readonly startedAt: number;
  readonly k: Kysely<SystemSchema>;
  /**
   * Runs a statement that is compiled once, and on PostgreSQL prepared once for each connection.
   * @returns its rows, each as the values of its columns in their order
   */
  run(statement: CachedStatement, parameters: readonly ColumnValue[]): Promise<unknown[][]>;
  /**
   * Like `run`, for a write whose rows are not used. On PostgreSQL it may not be awaited: if it fails, a later
   * statement or the commit fails with its error.
   */
  send(statement: CachedStatement, parameters: readonly ColumnValue[]): Promise<void>;
  /** Notifies `Database.listen` in all processes on this database once the transaction is committed. */
  notify(payload: string): Promise<void>;
  /**
   * Runs a read (`workers/read-work.ts`) in a thread, on a separate snapshot that may be newer; null: reads run in this
   * thread
   */
  readonly runInReadWorker:
    | (<Result>(name: string, args: readonly unknown[]) => Promise<Result>)
    | null;
  readonly lists: ListReader;
}

/**
 * What concurrent writes may see of each other on PostgreSQL; on SQLite writes run one after the other.
 * - `serializable`: the result is the same as if they ran one after the other. The cost: transactions are sometimes
 * retried although they did not conflict (rows on one page of an index).
 * - `read committed`: each statement sees what was committed before it. For work that locks the rows it depends on before it
 * reads them, and leaves the rest to constraints.
 * - `autocommit`: no transaction; each statement is committed by itself and `work` runs once. For statements that
 * PostgreSQL allows only outside of transactions, such as building an index while others write.
 */
export type Isolation = 'serializable' | 'read committed' | 'autocommit';

/**
 * How long a write takes, as far as this is known in advance.
 * - `large`: it writes many records; on SQLite, waiting smaller writes run before it, for a limited time
 */
export type Weight = 'usual' | 'large';

export interface WriteOptions {
  /** `serializable` by default */
  readonly isolation?: Isolation;
  readonly weight?: Weight;
  /** ends the write on PostgreSQL, also during a statement; then nothing is written */
  readonly signal?: AbortSignal;
}

/** For a write that needs nothing else of `WriteOptions`. */
export const READ_COMMITTED: WriteOptions = { isolation: 'read committed' };

/** Called with the name of each index before it is created, which waits for the result. */
export type IndexProgress = (index: string) => void | Promise<void>;

/** The database of the service. Do not call `read` or `write` inside either of them. */
export interface Database {
  readonly adapter: Adapter;
  /**
   * Runs `work` on one consistent snapshot, which cannot be written to.
   * @throws {ApiError} `unavailable` if it takes longer than the query limit and is no background work, or if its
   * client has disconnected
   */
  read<T>(work: (db: Transaction) => Promise<T>, context?: ReadContext): Promise<T>;
  /**
   * Runs `work` as one transaction, serializable by default, and resolves only after its durable commit. Rejects with
   * the error of `work`; then nothing is written. A failed statement fails the whole transaction, even if its error was
   * caught. `work` may be retried, so it must have no side effects outside the database, and must await nothing but its
   * own statements and `yieldToEventLoop`.
   * @throws {ApiError} `unavailable` if the database cannot be reached or is busy, or if the connection broke during
   * the commit, so that the outcome is unknown
   */
  write<T>(work: (db: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Listens for the notifications of transactions (`Transaction.notify`) of all processes on this database.
   * Notifications of this process have arrived when `write` resolves, and may arrive a second time.
   * @param callback is called with the payload of each notification, and with null when some may have been lost
   */
  listen(callback: (payload: string | null) => void): Listener;
  /**
   * Creates the indexes that the fields of a record table lack: those of new fields, and those whose creation was
   * interrupted. Others read meanwhile; they also write on PostgreSQL, and on SQLite between two indexes.
   * @param signal ends the work, on SQLite before the next index; the next call completes it
   */
  completeIndexes(
    collection: TableFields,
    progress: IndexProgress,
    signal?: AbortSignal,
  ): Promise<void>;
  /**
   * Waits until nobody has written for a period, in milliseconds: for work that blocks writes on SQLite. On PostgreSQL such
   * work does not block them, and this resolves at once.
   * @param maxWait in milliseconds; then it resolves anyway, as it does when `signal` is aborted
   */
  untilQuiet(period: number, maxWait: number, signal: AbortSignal): Promise<void>;
  /** The current queues for the database, without a query. */
  load(): DatabaseLoad;
  /** Waits for the work in progress and rejects new work. */
  close(): Promise<void>;
}

/**
 * Brings the system tables up to date, in the transaction of `db`; may be called again at once.
 * @returns the tables that were rewritten, which PostgreSQL must vacuum after the commit
 */
export type Migrate = (db: Transaction) => Promise<readonly string[]>;

export interface Listener {
  /** Whether notifications are received: a pooler that reassigns connections after each transaction loses them. */
  isReceiving(): boolean;
  close(): Promise<void>;
}

/** What differs between SQLite and PostgreSQL: `sqlite/sqlite-adapter.ts` and `postgres/postgres-adapter.ts`. */
export interface Adapter
  extends SqlSyntax, RuleSql, RowWrites, RecordTables, SearchStore, Catalog, IntegrityChecks {
  /** only for migrations, whose steps are written for one database or the other */
  readonly dialect: 'sqlite' | 'postgres';
  /**
   * Whether several processes may use the database and their writes run concurrently (PostgreSQL). Otherwise one
   * process uses it and writes run one after the other (SQLite), so preparatory work is done before the transaction.
   */
  readonly isShared: boolean;
  /** Serializes the transactions that call it with the same number (a 64-bit integer, as text). */
  lockNumber(db: Transaction, number: string): Promise<void>;
  /** Takes the same lock if no other transaction has it. @returns whether it was taken; on SQLite it always is */
  tryLockNumber(db: Transaction, number: string): Promise<boolean>;
  /**
   * Takes a shared lock on the definition of an archive or table until the end of the transaction, and waits for a
   * change in progress. Records can still be written by others.
   */
  lockDefinitionShared(db: Transaction, collection: CollectionRef): Promise<void>;
  /** Takes the exclusive lock for changing the definition: waits for all writes of its records, and blocks new ones. */
  lockDefinition(db: Transaction, collection: CollectionRef): Promise<void>;
  /** Waits for all transactions that write a table, and blocks others until the end of this one. */
  lockTable(db: Transaction, table: string): Promise<void>;
  /** Sets whether deleted data is also overwritten with zeros in the database file (SQLite). */
  overwriteDeleted(database: Database, isOn: boolean): Promise<void>;
  /** Whether the database is read-only because it is a standby server. */
  isStandby(db: Transaction): Promise<boolean>;
  /** Updates the planner statistics of a table that was just filled. */
  analyze(db: Transaction, table: string): Promise<void>;
  /** Sets the lock timeout of this transaction, in milliseconds; a wait that exceeds it fails. */
  limitLockWaits(db: Transaction, milliseconds: number): Promise<void>;
  /** Whether a transaction failed because of its lock timeout, also after the error was converted to an answer. */
  isLockTimeout(error: unknown): boolean;
  /** null: the service computes them from the values (SQLite) */
  readonly duplicateKeys: DuplicateKeys | null;
}

/** The keys of checks on duplicates, where the database computes and stores them itself. */
export interface DuplicateKeys {
  /** Computes the keys of these records, in the order of records and parts. */
  compute(
    db: Transaction,
    compared: ComparedRecords,
    ids: readonly number[],
  ): Promise<readonly RecordKey[]>;
  /** The checks whose keys have been stored. */
  storedChecks(db: Transaction): Promise<number[]>;
  /**
   * Stores all keys of a check that has none: in a partition of `check_keys`, whose indexes are created once it is filled. Both
   * orders are indexes of it, so there is no `check_record_keys`.
   */
  storeAll(db: Transaction, checkId: number, compared: ComparedRecords): Promise<void>;
  /** The writes that together renew the stored keys of all records: most are as they were. */
  planRenewal(
    db: Transaction,
    checkId: number,
    compared: ComparedRecords,
  ): Promise<((db: Transaction) => Promise<void>)[]>;
  /** The ids of records that have a stored key in common with another, in their order, in parts. */
  readShared(db: Transaction, checkId: number): AsyncIterable<readonly number[]>;
  /** Stores these records as findings of a check that has none. @returns how many there are */
  storeSharedAsFindings(db: Transaction, checkId: number): Promise<number>;
  /**
   * Removes the stored keys of a check, and the findings that were stored with them.
   * @throws if another transaction reads such rows for longer than a moment
   */
  remove(db: Transaction, checkId: number): Promise<void>;
}

/** Writes of many rows. */
export interface RowWrites {
  /** Inserts rows of values in the order of the columns (at least one): `records/bulk-statements.ts`. */
  insertRows(
    db: Transaction,
    table: string,
    columns: readonly string[],
    rows: readonly (readonly ColumnValue[])[],
  ): Promise<void>;
  /**
   * Inserts rows of whole numbers: those of `same`, which all rows have, and those of `columns`.
   * @param numbers row after row
   */
  insertNumbers(
    db: Transaction,
    table: string,
    same: Readonly<Record<string, number>>,
    columns: readonly string[],
    numbers: Float64Array,
  ): Promise<void>;
  /** Updates rows found by the columns of `key`, whose values come first: `records/bulk-statements.ts`. */
  updateRows(
    db: Transaction,
    table: string,
    key: readonly string[],
    changed: readonly string[],
    rows: readonly (readonly ColumnValue[])[],
  ): Promise<void>;
  /**
   * The ids of the next records after an id, in groups. Where each group is updated in transactions that begin after
   * those of the group before, PostgreSQL can store the new versions of its records in the place of former ones.
   * @param limit of records
   */
  updateGroups(
    db: Transaction,
    collection: CollectionRef,
    after: number,
    limit: number,
  ): Promise<number[][]>;
  /** Reserves the ids of this many new records; no other transaction gets them. */
  takeIds(db: Transaction, collection: CollectionRef, count: number): Promise<number[]>;
}

/** Fields of an archive or table for which an index is missing. */
export interface FieldsWithoutIndexes<Of> {
  readonly collection: Of;
  readonly fields: readonly StoredField[];
}

/** The tables of records. */
export interface RecordTables {
  /** Sets the counter of ids beyond the largest id, after records with given ids were stored. */
  advanceIdCounter(db: Transaction, collection: CollectionRef): Promise<void>;
  /** Declares the columns of a field that are computed, such as a sort key. */
  computedColumns(field: StoredField): RawBuilder<unknown>[];
  /** Adds the columns of fields to a table, in which no record has values. */
  addColumns(db: Transaction, table: string, fields: readonly StoredField[]): Promise<void>;
  /**
   * Removes columns of fields from a table. To drop a column, SQLite rewrites the table: there it is renamed instead, for
   * another field (`keepsColumns`), so it must be empty.
   */
  removeColumns(db: Transaction, table: string, columns: readonly string[]): Promise<void>;
  /** whether `removeColumns` keeps the columns for other fields */
  readonly keepsColumns: boolean;
  /** The names of these columns. */
  computedColumnNames(field: StoredField): string[];
  /** Creates or replaces the trigger that computes the sort keys of a record table, for the given fields. */
  createSortKeys(
    db: Transaction,
    collection: Collection,
    fields: readonly StoredField[],
  ): Promise<void>;
  /**
   * Creates the companions of a new record table: triggers that compute columns and count records, and the search
   * index.
   */
  createCompanions(db: Transaction, collection: Collection): Promise<void>;
  /** Drops the tables of an archive or data table with everything that belongs to them. */
  dropRecordTables(db: Transaction, collection: CollectionRef): Promise<void>;
  /** Creates the indexes of a record table beside those of its fields, and completes the search index. */
  createTableIndexes(db: Transaction, collection: Collection): Promise<void>;
  /** Enforces the uniqueness of a field if concurrent writes cannot see each other's values before their commits. */
  createUniqueness(db: Transaction, collection: Collection, field: StoredField): Promise<void>;
  /** Removes what `createUniqueness` created for a field. */
  dropUniqueness(
    db: Transaction,
    collection: Collection,
    field: Pick<StoredField, 'number'>,
  ): Promise<void>;
  /** The fields for which `Database.completeIndexes` has to create indexes, of each archive or table that has any. */
  fieldsWithoutIndexes<Of extends TableFields>(
    db: Transaction,
    collections: readonly Of[],
  ): Promise<FieldsWithoutIndexes<Of>[]>;
  /** The stored number of records; null if the database does not store it. */
  storedCount(db: Transaction, collection: CollectionRef): Promise<number | null>;
  /** Merges the rows that are summed to get the numbers of records. */
  mergeCounts(database: Database): Promise<void>;
}

/** The index over the texts of records. */
export interface SearchStore {
  /** Records that the texts of these records were added, changed or deleted. */
  markSearchTextsChanged(
    db: Transaction,
    collection: CollectionRef,
    ids: readonly number[],
  ): Promise<void>;
  /** Keeps the search index up to date after writes, while the service runs. */
  openSearchIndexer(database: Database, log: WarningLog): SearchIndexer;
}

/** Woken when records may have changed. Work that is not done when it is closed continues at the next start. */
export type SearchIndexer = Pick<BackgroundLoop, 'wake' | 'close'>;

interface DatabaseEngine {
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly version: string;
  readonly bytes: number;
}

/** The structure of a database: its tables, columns, counters and triggers. */
export interface Catalog {
  /** whether searches can use the indexes of pg_trgm (PostgreSQL) */
  readonly trigram: boolean;
  /** Tries to enable these indexes. @returns whether searches can use them; null: the database has none */
  prepareTrigrams(db: Transaction): Promise<boolean | null>;
  /**
   * The names of all tables and views, in alphabetical order, without those that the database or an extension created.
   */
  tableNames(db: Transaction): Promise<readonly string[]>;
  tableColumns(db: Transaction): Promise<readonly TableColumn[]>;
  /** The last number that the counter of a column has issued; null: none, or it is unknown. */
  readCounter(db: Transaction, table: string, column: string): Promise<number | null>;
  writeCounter(db: Transaction, table: string, column: string, given: number): Promise<void>;
  /** What the triggers of a table do, as SQL. */
  triggersOf(db: Transaction, table: string): Promise<readonly string[]>;
  /** the statements that triggers can reject on a table whose rows are never changed */
  readonly refusableChanges: readonly ('update' | 'delete' | 'truncate')[];
  /** Where the database is, and what to do if it belongs to another program, as sentences for the administrator. */
  describeLocation(
    db: Transaction,
  ): Promise<{ readonly place: string; readonly remedy: string; readonly emptyDatabase: string }>;
  /** The kind of database, and its size on disk in bytes, without the write-ahead log. */
  readEngine(db: Transaction): Promise<DatabaseEngine>;
  /** @throws {Error} with the remedy if creating tables is not allowed */
  assertMayCreateTables(db: Transaction): Promise<void>;
}

/** A column of a table as the database itself describes it. */
export interface TableColumn {
  readonly table: string;
  readonly column: string;
  readonly text: boolean | number;
  /** its position in the primary key, from 1; 0 if it is not part of the key */
  readonly key_position: number;
  readonly counter: boolean | number;
}

/** The integrity checks that a database offers. */
export interface IntegrityChecks {
  /**
   * Checks the pages, tables and references of the database, as far as it offers that.
   * @param deep whether indexes are compared with their tables, which takes several times as long
   * @returns what was checked, as the end of a sentence
   */
  checkIntegrity(database: Database, deep: boolean, report: IntegrityReport): Promise<string>;
}

interface IntegrityReport {
  readonly progress: (text: string) => void;
  /**
   * Runs a check that may also fail because of damage.
   * @param what is checked, the beginning of a sentence about the error
   * @param check returns what it finds, in whole sentences
   */
  readonly attempt: (what: string, check: () => Promise<readonly string[]>) => Promise<void>;
}
