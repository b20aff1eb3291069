import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseHalfCopy } from './copying/copy-state.ts';
import { refuseHalfRestore } from './data-directory.ts';
import { refuseOtherVersion } from './migrations/migrate.ts';
import { refuseEmpty } from './migrations/schema-ownership.ts';
import {
  openExistingPostgres,
  openPostgresDatabase,
  refuseEmptyPostgres,
  type PostgresLimits,
} from './postgres/postgres-database.ts';
import type { Database } from './database.ts';
import type { QueryLimits } from './query-limits.ts';
import { openExistingSqlite } from './sqlite/existing-database.ts';
import { openSqliteDatabase, SQLITE_FILE } from './sqlite/sqlite-database.ts';

export interface DatabaseConfig {
  /** the directory of the SQLite database and of the files */
  readonly dataDir: string;
  /** `postgres://…`; without it SQLite in `dataDir` */
  readonly databaseUrl?: string | undefined;
  /** the same database without a pooler, for notifications, where `databaseUrl` is a pooler's */
  readonly databaseDirectUrl?: string | undefined;
  /** how long the database may take; without, as long as it takes, as commands need that run alone */
  readonly limits?: (PostgresLimits & QueryLimits) | undefined;
}

/**
 * What opening a database may do to it.
 * - `upgrade`: makes it where it is missing, and brings its tables up to date
 * - `write`: its rows are read and written; it must exist with the tables of this version
 * - `read`: the same, and nothing is written
 */
export type DatabaseAccess = 'upgrade' | 'write' | 'read';

export interface OpenOptions {
  /** `upgrade` where it is not given */
  readonly access?: DatabaseAccess;
  /** with `read`: the tables may be those of another version */
  readonly anyVersion?: boolean;
  /** whether it may be an unfinished copy or restore: for what completes it */
  readonly unfinished?: boolean;
}

/**
 * Refuses a database that does not exist, or is empty: opening it with `upgrade` would make it.
 * @throws {Error} with a message for the administrator
 */
export async function refuseMissingDatabase({
  dataDir,
  databaseUrl,
}: DatabaseConfig): Promise<void> {
  if (databaseUrl !== undefined) return refuseEmptyPostgres(databaseUrl);
  // A file of no bytes is what a database becomes that is lost.
  const size = await stat(join(dataDir, SQLITE_FILE)).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) {
    throw new Error(
      `There is no Indexdesk database in ${dataDir}. Name the data directory of an installation; ` +
        '`indexdesk serve` makes a new one.',
    );
  }
}

/**
 * Opens a database.
 * @throws {Error} with a message for the administrator where that cannot be, or the database is of a version that
 * `access` does not allow
 */
export async function openDatabase(
  config: DatabaseConfig,
  options: OpenOptions = {},
): Promise<Database> {
  const { unfinished = false } = options;
  if (!unfinished) await refuseHalfRestore(config.dataDir);
  const database = await openByAccess(config, options);
  if (unfinished) return database;
  try {
    await database.read(refuseHalfCopy);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function openByAccess(
  config: DatabaseConfig,
  { access = 'upgrade', anyVersion = false }: OpenOptions,
): Promise<Database> {
  const { dataDir, databaseUrl, databaseDirectUrl, limits } = config;
  if (access === 'upgrade') {
    return databaseUrl === undefined
      ? openSqliteDatabase(dataDir, { query: limits?.query })
      : openPostgresDatabase(databaseUrl, limits, databaseDirectUrl);
  }
  const check = anyVersion ? refuseEmpty : refuseOtherVersion;
  if (databaseUrl !== undefined) return openExistingPostgres(databaseUrl, access, check, limits);
  await refuseMissingDatabase(config);
  return openExistingSqlite(dataDir, access, check);
}
