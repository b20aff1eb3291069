import type { Transaction } from './database.ts';

/* The settings that an installation stores about itself, one text per key, in the table `installation`. */

/** The key of the secrets of the installation (`installation-secret.ts`). */
export const STORAGE_SECRET = 'storage_secret';
/** The key of whether trigram indexes can be used, as determined at the last start (PostgreSQL). */
export const TRIGRAM_KEY = 'pg_trgm';

export async function readSetting(db: Transaction, key: string): Promise<string | undefined> {
  const row = await db.k
    .selectFrom('installation')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.value;
}

/** Stores a value and replaces an earlier one. An equal value is not written again. */
export async function writeSetting(db: Transaction, key: string, value: string): Promise<void> {
  await db.k
    .insertInto('installation')
    .values({ key, value })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ value }).where('installation.value', '!=', value),
    )
    .execute();
}

export async function removeSetting(db: Transaction, key: string): Promise<void> {
  await db.k.deleteFrom('installation').where('key', '=', key).execute();
}
