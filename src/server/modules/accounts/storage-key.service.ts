import { createHmac } from 'node:crypto';
import type { Transaction } from '#server/database/database.ts';
import { STORAGE_SECRET } from '#server/database/migrations/storage-secret.ts';

/**
 * The key with which browsers encrypt what a user has typed and not saved, as Base64 of 32 bytes (AES-256). It is
 * the user's alone and stays the same for as long as the installation keeps its secret, in copies and backups too.
 */
export async function readStorageKey(db: Transaction, userId: number): Promise<string> {
  const { value } = await db.k
    .selectFrom('installation')
    .select('value')
    .where('key', '=', STORAGE_SECRET)
    .executeTakeFirstOrThrow();
  const secret = Buffer.from(value, 'base64');
  return createHmac('sha256', secret).update(`storage key of user ${userId}`).digest('base64');
}
