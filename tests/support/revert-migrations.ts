import type { Transaction } from '#server/database/database.ts';
import { SCHEMA_VERSION } from '#server/database/migrations/migrate.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';

/** The version before that of this program. */
export const VERSION_BEFORE = SCHEMA_VERSION - 1;

/**
 * Gives a database an earlier version.
 * @param revert reverts what the migrations since then have changed; nothing: they can be repeated
 */
export async function revertMigrations(
  config: DatabaseConfig,
  version: number,
  revert: (db: Transaction) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const database = await openDatabase(config);
  await database.write(async (db) => {
    await revert(db);
    await db.k
      .updateTable('installation')
      .set({ value: String(version) })
      .where('key', '=', 'schema_version')
      .execute();
  });
  await database.close();
}
