import type { Transaction } from '../database.ts';
import type { ListCache } from './list-cache.ts';
import { SQLITE_SETTINGS } from './sqlite-adapter.ts';
import { SqliteConnection, type ConnectionRole } from './sqlite-connection.ts';
import { SqliteLists } from './sqlite-lists.ts';
import { runInTransaction, type ConnectionSource } from './sqlite-transaction.ts';

/** A connection to the SQLite database for reads, one snapshot after the other. */
export class ReadConnection implements ConnectionSource {
  readonly current: SqliteConnection;

  private constructor(connection: SqliteConnection) {
    this.current = connection;
  }

  /** @param beforeStatement called before each statement; the statement fails with its error */
  static async open(
    path: string,
    role: Exclude<ConnectionRole, 'writer'>,
    beforeStatement?: () => void,
  ): Promise<ReadConnection> {
    return new ReadConnection(await SqliteConnection.open(path, role, beforeStatement));
  }

  /** The next statement opens the newest snapshot. */
  begin(): void {
    this.current.run('BEGIN');
  }

  end(): void {
    if (this.current.inTransaction) this.current.run('ROLLBACK');
  }

  take(): Promise<SqliteConnection> {
    return Promise.resolve(this.current);
  }

  /**
   * Runs `work` on the newest snapshot.
   * @param cache lists that were read on earlier snapshots
   */
  async read<T>(work: (db: Transaction) => Promise<T>, cache: ListCache | null = null): Promise<T> {
    this.begin();
    try {
      const createLists = (db: Transaction) => new SqliteLists(db, cache);
      return await runInTransaction(this, { ...SQLITE_SETTINGS, createLists }, work);
    } finally {
      this.end();
    }
  }

  close(): void {
    this.current.close();
  }
}
