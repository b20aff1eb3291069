import { createHmac } from 'node:crypto';
import type { Transaction } from '#server/database/database.ts';
import { STORAGE_SECRET } from '#server/database/migrations/storage-secret.ts';
import { readSetting } from '#server/database/installation.ts';

/**
 * The key with which browsers encrypt what a user has typed and not saved, as Base64 of 32 bytes (AES-256). It is
 * the user's alone and stays the same for as long as the installation keeps its secret, in copies and backups too.
 */
export async function readStorageKey(db: Transaction, userId: number): Promise<string> {
  const stored = await readSetting(db, STORAGE_SECRET);
  if (stored === undefined) throw new Error('The installation has no storage secret.');
  const secret = Buffer.from(stored, 'base64');
  return createHmac('sha256', secret).update(`storage key of user ${userId}`).digest('base64');
}
