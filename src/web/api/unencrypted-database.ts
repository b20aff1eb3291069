import { deleteDB, type IDBPDatabase, openDB } from 'idb';

/**
 * Deletes an IndexedDB database in which earlier versions stored typed text without encryption.
 * @param name of the database
 * @param move first takes the signed-in user's data from it
 */
export async function removeUnencrypted(
  name: string,
  move: (database: IDBPDatabase) => Promise<void>,
): Promise<void> {
  const all = await indexedDB.databases();
  if (!all.some((database) => database.name === name)) return;
  const database = await openDB(name);
  try {
    await move(database);
  } finally {
    database.close();
  }
  await deleteDB(name);
}
