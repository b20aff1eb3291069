import { createHmac } from 'node:crypto';
import type { Transaction } from '#server/database/database.ts';
import { STORAGE_SECRET } from '#server/database/migrations/storage-secret.ts';
import { readSetting } from '#server/database/installation.ts';

/**
 * The key with which browsers encrypt a user's unsaved input, as Base64 of 32 bytes (AES-256). It is specific to the user, and
 * does not change while the installation has its secret, in copies and backups too.
 */
export async function readStorageKey(db: Transaction, userId: number): Promise<string> {
  const stored = await readSetting(db, STORAGE_SECRET);
  if (stored === undefined) throw new Error('The installation has no storage secret.');
  const secret = Buffer.from(stored, 'base64');
  return createHmac('sha256', secret).update(`storage key of user ${userId}`).digest('base64');
}
