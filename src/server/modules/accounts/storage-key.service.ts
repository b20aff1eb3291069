import { createHmac } from 'node:crypto';
import type { Transaction } from '#server/database/database.ts';
import { readInstallationSecret } from '#server/database/installation-secret.ts';

/**
 * The key with which browsers encrypt a user's unsaved input, as Base64 of 32 bytes (AES-256). It is different for each
 * user, and stays the same as long as the installation has its secret, in copies and backups too.
 */
export async function readStorageKey(db: Transaction, userId: number): Promise<string> {
  const secret = await readInstallationSecret(db);
  return createHmac('sha256', secret).update(`storage key of user ${userId}`).digest('base64');
}
