import type { WarningLog } from '#server/warning-log.ts';
import type { Kysely, RawBuilder } from 'kysely';
import type { Scalar } from '#shared/values/values.ts';
import type { ReadContext } from './query-limits.ts';
import type { ColumnTypes } from './column-types.ts';
import type { Collection } from './records/collection.ts';
import type { ColumnKind } from '#shared/values/value-type.ts';
import type { Named, Stored, StoredField } from './records/columns.ts';
import type { ListReader } from './records/list-reader.ts';
import type { RuleSql } from './records/rule-sql.ts';
import type { SystemSchema } from './schema.ts';

/** A statement that is compiled once for each kind of database, as compiling takes several times as long as running it. */
export interface CachedStatement {
  /** what the text depends on, such as a definition, or the function that runs it; the text is cached as long as it lives */
  readonly owner: object;
  /** tells the statements of an owner apart */
  readonly name: string;
  /** builds it with placeholders, in the order of the parameters of each run */
  readonly build: () => RawBuilder<unknown>;
}

/** One snapshot or one transaction: what stores take as their first argument. */
export interface Transaction {
  readonly adapter: Adapter;
  /** whether it is of `Database.write` */
  readonly isWrite: boolean;
  readonly k: Kysely<SystemSchema>;
  /**
   * Runs a statement that is compiled once, and on PostgreSQL prepared once for each connection.
   * @returns its rows, each as the values of its columns in their order
   */
  run(statement: CachedStatement, parameters: readonly Stored[]): Promise<unknown[][]>;
  /**
   * The same for a write whose rows nobody needs. It may not be waited for (PostgreSQL): where it fails, a later statement
   * or the commit fails with its error.
   */
  send(statement: CachedStatement, parameters: readonly Stored[]): Promise<void>;
  /** Sends a notification to `Database.listen` of all processes on this database once the transaction is committed. */
  notify(payload: string): Promise<void>;
  /**
   * Runs a read (`workers/read-work.ts`) in a thread that reads on a snapshot of its own, which may be newer;
   * null: what is to be read is read here
   */
  readonly runInReadWorker:
    | (<Result>(name: string, args: readonly unknown[]) => Promise<Result>)
    | null;
  readonly lists: ListReader;
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
  readonly adapter: Adapter;
  /**
   * Runs `work` on one consistent snapshot, in which nothing can be written.
   * @throws {ApiError} `unavailable` where it takes longer than a query may, and is not in the background, or its client has left
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
  /**
   * Listens to the notifications of transactions (`Transaction.notify`) of all processes on this database. Those of this
   * process have arrived when `write` resolves, and may arrive a second time.
   * @param heard is called with the payload of each notification, and with null when some may have been lost
   */
  listen(heard: (payload: string | null) => void): Listener;
  /** What waits for the database at the moment, without asking it. */
  load(): DatabaseLoad;
  /** Waits for what is under way, refuses what comes after. */
  close(): Promise<void>;
}

export interface Listener {
  /** Whether notifications arrive: a pooler that gives connections to others after each transaction loses them. */
  arrive(): boolean;
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

/** What differs between SQLite and PostgreSQL: `sqlite/sqlite-adapter.ts` and `postgres/postgres-adapter.ts`. */
export interface Adapter
  extends SqlSyntax, RuleSql, RowWrites, RecordTables, SearchStore, Catalog, IntegrityChecks {
  /** for migrations alone, whose steps were written for one database or the other */
  readonly dialect: 'sqlite' | 'postgres';
  /**
   * Whether several processes may use the database, whose writes run at the same time (PostgreSQL). Else one process
   * uses it and its writes wait for each other, so what can be done before a transaction is done before it (SQLite).
   */
  readonly isShared: boolean;
  /** Lets transactions that call it with the same number (a 64-bit integer, as text) run one after the other. */
  lockNumber(db: Transaction, number: string): Promise<void>;
  /**
   * Keeps the definition of an archive or table from being changed until the end of the transaction, and waits for a change
   * under way. Records can be written by others meanwhile.
   */
  holdDefinition(db: Transaction, collection: Named): Promise<void>;
  /** The counterpart for who changes the definition: waits for all writes of its records, and keeps others waiting. */
  lockDefinition(db: Transaction, collection: Named): Promise<void>;
  /** Waits for all transactions that write a table, and keeps others waiting until the end of this one. */
  lockTable(db: Transaction, table: string): Promise<void>;
  /** Sets whether what is deleted is also overwritten with zeros in the file of the database (SQLite). */
  overwriteDeleted(database: Database, isOn: boolean): Promise<void>;
  /** Whether the database takes no writes as it is the standby of another one. */
  isStandby(db: Transaction): Promise<boolean>;
  /** Updates what the planner knows of a table that was just filled. */
  analyze(db: Transaction, table: string): Promise<void>;
  /** Lets waits for tables that are in use end after so many milliseconds, with an error, in this transaction. */
  limitLockWaits(db: Transaction, milliseconds: number): Promise<void>;
}

/** Parts of statements. */
export interface SqlSyntax {
  readonly columnTypes: ColumnTypes;
  /** the types of the columns of record tables */
  readonly recordTypes: Readonly<Record<ColumnKind, RawBuilder<unknown>>>;
  /** declares the primary key of a record table, which uses no number twice */
  readonly recordId: RawBuilder<unknown>;
  /** what follows the declaration of a temporary table that ends with its transaction */
  readonly untilCommit: RawBuilder<unknown>;
  /** Whether the order of a column, without further words, has what has no value last. */
  sortsNullsLast(direction: 'ascending' | 'descending'): boolean;
  /** Whether an indexed expression has a value, in the form of which an index is read from its first value on. */
  hasValue(expression: RawBuilder<unknown>, type: 'text' | 'number'): RawBuilder<boolean>;
  /** ends a `select` that locks the rows it finds until the end of the transaction; empty where nobody else writes */
  readonly lockRows: RawBuilder<unknown>;
  /** follows a table's name to make the planner use an index that it would not choose by itself, or nothing */
  useIndex(name: string): RawBuilder<unknown>;
  /** follows a column of whole numbers: whether it is one of these */
  isAmong(numbers: readonly number[]): RawBuilder<unknown>;
  /** Whether a text has a part, character by character. */
  contains(column: RawBuilder<unknown>, part: string): RawBuilder<boolean>;
  /** Whether a word of a folded text starts so; `start` begins with a letter or digit. */
  startsWord(column: RawBuilder<unknown>, start: string): RawBuilder<boolean>;
  /** A text column with ASCII letters in lower case, compared byte by byte. */
  lowerAscii(column: RawBuilder<unknown>): RawBuilder<string>;
  /** The column cast to text, so that the length of its values can be taken. */
  asText(column: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A value as a column stores it. */
  toStored(value: Scalar): Stored;
  /** The sort key (`records/sort-key.ts`) of a text field, as it is indexed. */
  sortKey(field: StoredField): RawBuilder<string | null>;
  /** The sort key of texts in two columns, computed by the database. */
  sortKeyOf(folded: RawBuilder<unknown>, text: RawBuilder<unknown>): RawBuilder<string | null>;
}

/** Writes of many rows. */
export interface RowWrites {
  /** Inserts rows of values in the order of the columns, of which there is one at least: `records/bulk.ts`. */
  insertRows(
    db: Transaction,
    table: string,
    columns: readonly string[],
    rows: readonly (readonly Stored[])[],
  ): Promise<void>;
  /** Updates rows found by the columns of `key`, whose values come first: `records/bulk.ts`. */
  updateRows(
    db: Transaction,
    table: string,
    key: readonly string[],
    changed: readonly string[],
    rows: readonly (readonly Stored[])[],
  ): Promise<void>;
  /** The ids of so many new records, which no other transaction gets. */
  takeIds(db: Transaction, collection: Named, count: number): Promise<number[]>;
}

/** The tables of records. */
export interface RecordTables {
  /** Continues the counter of ids after records with ids of their own were stored. */
  continueIds(db: Transaction, collection: Named): Promise<void>;
  /** Declares the columns of a field that are never written, such as a sort key. */
  computedColumns(field: StoredField): RawBuilder<unknown>[];
  addColumns(
    db: Transaction,
    table: string,
    columns: readonly RawBuilder<unknown>[],
  ): Promise<void>;
  /** The names of these columns. */
  computedColumnNames(field: StoredField): string[];
  /** Creates or replaces what computes the sort keys of a record table, for these of its fields. */
  createSortKeys(
    db: Transaction,
    collection: Collection,
    fields: readonly StoredField[],
  ): Promise<void>;
  /** Creates what belongs to a new record table: what computes columns and counts records, and the search index. */
  createCompanions(db: Transaction, collection: Collection): Promise<void>;
  /** Removes the tables of an archive or data table with all that belongs to them. */
  dropRecordTables(db: Transaction, collection: Named): Promise<void>;
  /** Creates the indexes of a record table beside those of its fields, and completes the search index. */
  createTableIndexes(db: Transaction, collection: Collection): Promise<void>;
  /** Holds a unique field to it where writes do not see each other's values before their commits. */
  createUniqueness(db: Transaction, collection: Collection, field: StoredField): Promise<void>;
  /** Removes what `createUniqueness` has created for a field. */
  dropUniqueness(
    db: Transaction,
    collection: Collection,
    field: Pick<StoredField, 'number'>,
  ): Promise<void>;
  /**
   * Creates the indexes that the fields of a record table lack: those of new fields, and those whose creation was cut off.
   * @param database on PostgreSQL without a limit for statements, as to create an index may take long
   * @param progress called with the name of each index that is created
   * @param signal ends the work on PostgreSQL; the next call completes what is cut off
   */
  completeIndexes(
    database: Database,
    collection: Collection,
    progress: (index: string) => void,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Whether `completeIndexes` may have something to do. */
  lacksIndexes(db: Transaction, collection: Collection): Promise<boolean>;
  /** The number of records as it is stored beside them; null where it is not. */
  storedCount(db: Transaction, collection: Named): Promise<number | null>;
  /** Merges the rows from which the numbers of records are summed up. */
  mergeCounts(database: Database): Promise<void>;
}

/** The index over the texts of records. */
interface SearchStore {
  /** Notes that the texts of these records have come, changed or gone. */
  searchTextsChanged(db: Transaction, collection: Named, ids: readonly number[]): Promise<void>;
  /** Brings the search index up to date after writes, as long as the service runs. */
  openSearchIndexer(database: Database, log: WarningLog): SearchIndexer;
}

export interface SearchIndexer {
  /** Called when records may have changed. */
  wake(): void;
  /** Resolves when the part under way is done. The next start does the rest. */
  close(): Promise<void>;
}

interface DatabaseEngine {
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly version: string;
  readonly bytes: number;
}

/** What a database says about itself. */
export interface Catalog {
  /** whether searches can use the indexes of pg_trgm (PostgreSQL) */
  readonly trigram: boolean;
  /** Tries to make them usable. @returns whether they are */
  prepareTrigrams(db: Transaction): Promise<boolean | null>;
  /** The names of all tables and views, in their order, but for those that the database or an extension created. */
  tableNames(db: Transaction): Promise<readonly string[]>;
  tableColumns(db: Transaction): Promise<readonly TableColumn[]>;
  /** The last number that the counter of a table's column has given; null: none, or it is not known. */
  readCounter(db: Transaction, table: string, column: string): Promise<number | null>;
  writeCounter(db: Transaction, table: string, column: string, given: number): Promise<void>;
  /** What the triggers of a table do, as SQL. */
  triggersOf(db: Transaction, table: string): Promise<readonly string[]>;
  /** the statements that triggers can refuse on a table whose rows are never changed */
  readonly refusableChanges: readonly ('update' | 'delete' | 'truncate')[];
  /** Where the database is, and what to do where it belongs to another program, as sentences for the administrator. */
  describePlace(
    db: Transaction,
  ): Promise<{ readonly place: string; readonly remedy: string; readonly empty: string }>;
  /** Which database it is, and how many bytes it takes on the disk, without what waits in a write-ahead log. */
  readEngine(db: Transaction): Promise<DatabaseEngine>;
  /** @throws {Error} with the remedy where tables may not be created */
  assertMayCreateTables(db: Transaction): Promise<void>;
}

/** A column of a table as the database itself describes it. */
export interface TableColumn {
  readonly table: string;
  readonly column: string;
  readonly text: boolean | number;
  /** its place in the primary key from 1; 0 where it is not of the key */
  readonly key_position: number;
  readonly counter: boolean | number;
}

/** What a database offers to check itself. */
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
   * Runs a check, which damage may also end with an error.
   * @param what is checked, the beginning of a sentence about the error
   * @param check returns what it finds, in whole sentences
   */
  readonly attempt: (what: string, check: () => Promise<readonly string[]>) => Promise<void>;
}
