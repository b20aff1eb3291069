import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/database.ts';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assertNoPartialCopy } from './copying/copy-state.ts';
import { assertNoPartialRestore } from './data-directory.ts';
import { assertVersion, migrateTables } from './migrations/migrate.ts';
import { assertHasTables } from './migrations/schema-ownership.ts';
import type { PostgresLimits } from './postgres/postgres-database.ts';
import type { Database } from './database.ts';
import type { QueryLimits } from './query-cancellation.ts';
import { openExistingSqlite } from './sqlite/existing-database.ts';
import { openSqliteDatabase, SQLITE_FILE } from './sqlite/sqlite-database.ts';

/** Loaded where the database is PostgreSQL: its library takes 11 MB of memory. */
const postgres = () => import('./postgres/postgres-database.ts');

export interface DatabaseConfig {
  /** the directory of the SQLite database and of the files */
  readonly dataDir: string;
  /** `postgres://…`; without it SQLite in `dataDir` */
  readonly databaseUrl?: string | undefined;
  /** the same database without a pooler, for notifications, if `databaseUrl` leads to a pooler */
  readonly databaseDirectUrl?: string | undefined;
  /** time limits of the database; without them it may take as long as it needs, as in commands that run alone */
  readonly limits?: (PostgresLimits & QueryLimits) | undefined;
}

/**
 * What opening a database may do to it.
 * - `upgrade`: creates it if it is missing, and brings its tables up to date
 * - `write`: reads and writes rows; the database must exist with the tables of this version
 * - `read`: only reads rows; the database must exist with the tables of this version
 */
export type DatabaseAccess = 'upgrade' | 'write' | 'read';

export interface OpenOptions {
  /** defaults to `upgrade` */
  readonly access?: DatabaseAccess;
  /** with `read`: the tables may be those of another version */
  readonly anyVersion?: boolean;
  /** whether it may be an unfinished copy or restore: for the command that completes it */
  readonly unfinished?: boolean;
}

/**
 * Rejects a database that is missing or empty, because opening it with `upgrade` would create it.
 * @throws {OperatorError}
 */
export async function assertDatabaseExists({
  dataDir,
  databaseUrl,
}: DatabaseConfig): Promise<void> {
  if (databaseUrl !== undefined) {
    return (await postgres()).checkPostgres(databaseUrl, assertHasTables);
  }
  // A lost database can leave an empty file.
  const size = await stat(join(dataDir, SQLITE_FILE)).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) {
    throw new OperatorError(texts.noDatabaseIn(dataDir));
  }
}

/**
 * Opens a database.
 * @throws {OperatorError} if it cannot be opened, or its version is not allowed by
 * `access`
 */
export async function openDatabase(
  config: DatabaseConfig,
  options: OpenOptions = {},
): Promise<Database> {
  const { unfinished = false } = options;
  if (!unfinished) await assertNoPartialRestore(config.dataDir);
  const database = await openByAccess(config, options);
  if (unfinished) return database;
  try {
    await database.read(assertNoPartialCopy);
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
      ? openSqliteDatabase(dataDir, migrateTables, limits)
      : (await postgres()).openPostgresDatabase(
          databaseUrl,
          migrateTables,
          limits,
          databaseDirectUrl,
        );
  }
  const check = anyVersion ? assertHasTables : assertVersion;
  if (databaseUrl !== undefined) {
    return (await postgres()).openExistingPostgres(databaseUrl, access, check, limits);
  }
  await assertDatabaseExists(config);
  return openExistingSqlite(dataDir, access, check);
}
