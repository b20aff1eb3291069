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
import type { Db } from './database.ts';
import type { SystemSchema } from './schema.ts';

/**
 * The statements of one transaction, run one after the other on its connection. What begins and ends the
 * transaction stands outside.
 *
 * As on PostgreSQL, a statement that failed has spoilt the whole transaction, even where its error was
 * caught: all later statements are refused with that same error. So a store that works on one database
 * works on the other.
 */
class Transaction implements ConnectionProvider {
  readonly #connection: DatabaseConnection;
  #last: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #over = false;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#take(consumer));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Runs `work` with this transaction's statements and refuses further ones afterwards.
   * @throws what the first failed statement threw, else what `work` threw
   */
  async run<T>(work: (db: Db) => Promise<T>, db: Db): Promise<T> {
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
    if (this.#over) {
      throw new Error('The transaction is over: await every statement within its read or write.');
    }
    if (this.#failure) throw this.#failure.error;
    try {
      return await consumer(this.#connection);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}

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

/** Runs `work` on a connection on which a transaction has begun; neither commits nor rolls back. */
export async function runInTransaction<T>(
  connection: DatabaseConnection,
  about: Pick<Db, 'dialect' | 'trigram'> & Partial<Pick<Db, 'apart' | 'kept'>>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const transaction = new Transaction(connection);
  const { compiler, adapter, dialect } = PARTS[about.dialect];
  const props: KyselyProps = {
    config: { dialect },
    dialect,
    driver: NO_DRIVER,
    executor: new DefaultQueryExecutor(compiler, adapter, transaction),
  };
  const db: Db = { k: new Kysely<SystemSchema>(props), apart: null, kept: null, ...about };
  return transaction.run(work, db);
}
