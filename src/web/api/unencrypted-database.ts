import { deleteDB, type IDBPDatabase, openDB } from 'idb';

/**
 * Deletes a database of IndexedDB in which earlier versions stored what was typed without encryption.
 * @param name of the database
 * @param move takes what is the signed-in user's out of it first
 */
export async function removeUnencrypted(
  name: string,
  move: (database: IDBPDatabase) => Promise<void>,
): Promise<void> {
  const all = await indexedDB.databases();
  if (!all.some((one) => one.name === name)) return;
  const database = await openDB(name);
  try {
    await move(database);
  } finally {
    database.close();
  }
  await deleteDB(name);
}
