import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/cli.ts';
import { access, constants } from 'node:fs/promises';
import { createDataDirectory, lockDataDirectory } from '#server/database/data-directory.ts';
import type { Database } from '#server/database/database.ts';
import {
  openDatabase,
  type DatabaseAccess,
  type DatabaseConfig,
  type OpenOptions,
} from '#server/database/open-database.ts';

interface WithDatabaseOptions extends Pick<OpenOptions, 'anyVersion' | 'unfinished'> {
  /** whether no other process may use a SQLite directory meanwhile; defaults to true with `upgrade` */
  readonly isExclusive?: boolean;
}

/**
 * Runs a command on the database and closes it afterwards.
 * @param mode `upgrade` creates missing data directories and databases and upgrades the database, with an exclusive lock on
 *   a SQLite directory. `write` and `read` change no tables, refuse a database that does not exist or has another version,
 *   and may run while the service runs.
 * @throws {OperatorError} if the database cannot be opened
 */
export async function withDatabase<T>(
  config: DatabaseConfig,
  mode: DatabaseAccess,
  work: (database: Database) => Promise<T>,
  { isExclusive = mode === 'upgrade', ...options }: WithDatabaseOptions = {},
): Promise<T> {
  const { dataDir, databaseUrl } = config;
  const lock =
    isExclusive && databaseUrl === undefined ? await lockDataDirectory(dataDir) : undefined;
  try {
    if (mode === 'upgrade') {
      await createDataDirectory(dataDir);
      await checkWritable(dataDir);
    }
    const database = await openDatabase(config, { ...options, access: mode });
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
    throw new OperatorError(texts.directoryNotWritable(dataDir), { cause: error });
  }
}
