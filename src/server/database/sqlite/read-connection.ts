import type { DatabaseConnection } from 'kysely';
import type { Transaction } from '../database.ts';
import type { FilterCache } from '../records/filter-cache.ts';
import { SQLITE } from './sqlite-adapter.ts';
import { SqliteConnection, type Role } from './sqlite-connection.ts';
import { runInTransaction } from '../transaction.ts';

/** What is the same for all reads of SQLite. */
export const ABOUT = { adapter: SQLITE, dialect: 'sqlite', trigram: false } as const;

/** A connection to the SQLite database that reads, one snapshot after the other. */
export class ReadConnection {
  readonly #connection: SqliteConnection;

  private constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** @param beforeStatement called before each statement, which fails with what it throws */
  static async open(
    path: string,
    role: Exclude<Role, 'writer'>,
    beforeStatement?: () => void,
  ): Promise<ReadConnection> {
    return new ReadConnection(await SqliteConnection.open(path, role, beforeStatement));
  }

  get kysely(): DatabaseConnection {
    return this.#connection.kysely;
  }

  /** From the next statement on it reads the snapshot that is the newest then. */
  begin(): void {
    this.#connection.run('BEGIN');
  }

  end(): void {
    if (this.#connection.inTransaction) this.#connection.run('ROLLBACK');
  }

  /** Runs `work` on the newest snapshot. */
  async read<T>(
    work: (db: Transaction) => Promise<T>,
    kept: FilterCache | null = null,
  ): Promise<T> {
    this.begin();
    try {
      const { rowsOf } = this.#connection;
      return await runInTransaction(this.kysely, { ...ABOUT, kept }, work, rowsOf);
    } finally {
      this.end();
    }
  }

  close(): void {
    this.#connection.close();
  }
}
