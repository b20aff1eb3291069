import { access, constants } from 'node:fs/promises';
import { createDataDirectory, lockDataDirectory } from '#server/db/data-directory.ts';
import { openDatabase, type Database, type DatabaseConfig } from '#server/db/database.ts';

/**
 * Runs a command on the database and closes it afterwards.
 * @param how `alone`: no other process may serve or load the same SQLite directory meanwhile
 * @throws {Error} with a message for the administrator where the database cannot be opened
 */
export async function withDatabase<T>(
  { dataDir, databaseUrl, limits }: DatabaseConfig,
  how: 'alone' | 'beside others',
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const alone = how === 'alone' && databaseUrl === undefined;
  const lock = alone ? await lockDataDirectory(dataDir) : undefined;
  try {
    await createDataDirectory(dataDir);
    await checkWritable(dataDir);
    const database = await openDatabase({ dataDir, databaseUrl, limits });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    lock?.release();
  }
}

async function checkWritable(dataDir: string): Promise<void> {
  try {
    await access(dataDir, constants.W_OK);
  } catch (error) {
    throw new Error(`The data directory ${dataDir} cannot be written to.`, { cause: error });
  }
}
