import type { Transaction } from './database.ts';

/** What an installation stores about itself, one text by key, in the table `installation`. */
export async function readSetting(db: Transaction, key: string): Promise<string | undefined> {
  const row = await db.k
    .selectFrom('installation')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.value;
}

/** Stores a value, in the place of an earlier one. An equal one is not written again. */
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
