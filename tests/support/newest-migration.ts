import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { createValueAliases } from '#server/database/migrations/value-alias-table.ts';
import { SCHEMA_VERSION } from '#server/database/migrations/migrate.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';

/**
 * Gives a database the tables and the version from before the newest migration, which each new migration changes.
 * @param fill adds rows to the old tables
 */
export async function revertNewestMigration(
  config: DatabaseConfig,
  fill: (db: Transaction) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const database = await openDatabase(config);
  await database.write(async (db) => {
    await sql`drop table value_corrections`.execute(db.k);
    await createValueAliases(db);
    await fill(db);
    await db.k
      .updateTable('installation')
      .set({ value: String(SCHEMA_VERSION - 1) })
      .where('key', '=', 'schema_version')
      .execute();
  });
  await database.close();
}
