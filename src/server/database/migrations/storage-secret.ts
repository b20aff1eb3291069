import { randomBytes } from 'node:crypto';
import type { Transaction } from '../database.ts';
import { STORAGE_SECRET } from '../installation.ts';

/** Creates the installation's secret, from which each user's storage key is derived (`readStorageKeys`). */
export async function createStorageSecret(db: Transaction): Promise<void> {
  await db.k
    .insertInto('installation')
    .values({ key: STORAGE_SECRET, value: randomBytes(32).toString('base64') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
