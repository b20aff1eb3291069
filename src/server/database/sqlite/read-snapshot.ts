import type { Transaction } from '../database.ts';
import type { ListCache } from './list-cache.ts';
import { SQLITE_SETTINGS } from './sqlite-adapter.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { SqliteLists } from './sqlite-lists.ts';
import { runInTransaction, sourceOf } from './sqlite-transaction.ts';

/**
 * Runs `work` on the newest snapshot.
 * @param cache lists that were read on earlier snapshots
 */
export async function readSnapshot<T>(
  connection: SqliteConnection,
  work: (db: Transaction) => Promise<T>,
  cache: ListCache | null = null,
): Promise<T> {
  const createLists = (db: Transaction) => new SqliteLists(db, cache);
  connection.run('BEGIN');
  try {
    return await runInTransaction(sourceOf(connection), { ...SQLITE_SETTINGS, createLists }, work);
  } finally {
    connection.rollBack();
  }
}
