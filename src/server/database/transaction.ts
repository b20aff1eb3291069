import {
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
  type ConnectionProvider,
  type DatabaseConnection,
  type KyselyProps,
} from 'kysely';
import type { Transaction } from './database.ts';
import type { SystemSchema } from './schema.ts';

/** The statements of a transaction, as a `Transaction` runs them. */
interface Statements extends ConnectionProvider {
  readonly direct: Transaction['direct'];
  readonly send: Transaction['send'];
}

/**
 * The statements of one transaction, run one after the other on its connection. What begins and ends the
 * transaction stands outside.
 *
 * As on PostgreSQL, a statement that failed has spoilt the whole transaction, even where its error was
 * caught: all later statements are refused with that same error. So a store that works on one database
 * works on the other.
 */
class StatementQueue implements Statements {
  readonly send = null;
  readonly #connection: DatabaseConnection;
  readonly #rowsOf: RowsOf | null;
  /** the statements of Kysely's that wait for their turn */
  #underWay = 0;
  #last: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #over = false;

  constructor(connection: DatabaseConnection, rowsOf: RowsOf | null) {
    this.#connection = connection;
    this.#rowsOf = rowsOf;
  }

  /** `Transaction.direct` */
  get direct(): Transaction['direct'] {
    const rowsOf = this.#rowsOf;
    if (!rowsOf) return null;
    return (text, parameters) => {
      if (this.#underWay > 0) return undefined;
      this.#refuseLate();
      try {
        return rowsOf(text, parameters);
      } catch (error) {
        this.#failure = { error };
        throw error;
      }
    };
  }

  provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    this.#underWay += 1;
    const turn = this.#last.then(() => this.#take(consumer));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Runs `work` with this transaction's statements and refuses further ones afterwards.
   * @throws what the first failed statement threw, else what `work` threw
   */
  async run<T>(work: (db: Transaction) => Promise<T>, db: Transaction): Promise<T> {
    let result: T;
    try {
      result = await work(db);
    } catch (error) {
      await this.#end();
      throw this.#failure ? this.#failure.error : error;
    }
    await this.#end();
    if (this.#failure) throw this.#failure.error;
    return result;
  }

  async #end(): Promise<void> {
    this.#over = true;
    // A statement that was not awaited may still be under way on the connection.
    await this.#last;
  }

  async #take<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    this.#underWay -= 1;
    this.#refuseLate();
    try {
      return await consumer(this.#connection);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }

  #refuseLate(): void {
    if (this.#over) {
      throw new Error('The transaction is over: await every statement within its read or write.');
    }
    if (this.#failure) throw this.#failure.error;
  }
}

/** Runs a statement at once and gives its rows as the values of their columns. */
type RowsOf = (text: string, parameters: readonly unknown[]) => unknown[][];

/** What Kysely needs of a dialect besides the connection, which each transaction brings. */
const NO_DRIVER = new DummyDriver();
const PARTS = {
  sqlite: {
    compiler: new SqliteQueryCompiler(),
    adapter: new SqliteAdapter(),
    dialect: new SqliteDialect({
      database: () => Promise.reject(new Error('No connection here.')),
    }),
  },
  postgres: {
    compiler: new PostgresQueryCompiler(),
    adapter: new PostgresAdapter(),
    dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('No connection here.')) }),
  },
} as const;

export interface About
  extends
    Pick<Transaction, 'adapter' | 'dialect' | 'trigram'>,
    Partial<Pick<Transaction, 'runInReadWorker' | 'kept'>> {
  /** `Transaction.notify`; missing where only reads are possible */
  readonly notify?: (db: Transaction, payload: string) => Promise<void>;
}

/** Most writes of one record need no Kysely, whose making takes as long as a statement. */
class KyselyTransaction implements Transaction {
  readonly adapter: Transaction['adapter'];
  readonly dialect: Transaction['dialect'];
  readonly trigram: boolean;
  readonly runInReadWorker: Transaction['runInReadWorker'];
  readonly kept: Transaction['kept'];
  readonly direct: Transaction['direct'];
  readonly send: Transaction['send'];
  readonly #statements: Statements;
  readonly #notify: About['notify'];
  #k: Kysely<SystemSchema> | undefined;

  constructor(
    statements: Statements,
    { adapter, dialect, trigram, runInReadWorker = null, kept = null, notify }: About,
  ) {
    this.#statements = statements;
    this.#notify = notify;
    this.adapter = adapter;
    this.dialect = dialect;
    this.trigram = trigram;
    this.runInReadWorker = runInReadWorker;
    this.kept = kept;
    this.direct = statements.direct;
    this.send = statements.send;
  }

  get k(): Kysely<SystemSchema> {
    this.#k ??= new Kysely<SystemSchema>(this.#props());
    return this.#k;
  }

  async notify(payload: string): Promise<void> {
    if (!this.#notify) throw new Error('Notifications are sent by writes.');
    await this.#notify(this, payload);
  }

  #props(): KyselyProps {
    const { compiler, adapter, dialect } = PARTS[this.dialect];
    return {
      config: { dialect },
      dialect,
      driver: NO_DRIVER,
      executor: new DefaultQueryExecutor(compiler, adapter, this.#statements),
    };
  }
}

/**
 * Runs `work` on a connection on which a transaction has begun; neither commits nor rolls back.
 * @param rowsOf the same connection's way to run statements at once, where it has one
 */
export async function runInTransaction<T>(
  connection: DatabaseConnection,
  about: About,
  work: (db: Transaction) => Promise<T>,
  rowsOf: RowsOf | null = null,
): Promise<T> {
  const transaction = new StatementQueue(connection, rowsOf);
  return transaction.run(work, dbOf(transaction, about));
}

/** @param statements of one transaction */
export function dbOf(statements: Statements, about: About): Transaction {
  return new KyselyTransaction(statements, about);
}
