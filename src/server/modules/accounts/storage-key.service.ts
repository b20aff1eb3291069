import { createHmac } from 'node:crypto';
import type { Transaction } from '#server/database/database.ts';
import {
  deriveKeys,
  readInstallationSecrets,
  type Secrets,
} from '#server/database/installation-secret.ts';

/**
 * The keys with which browsers encrypt a user's unsaved input, the newest first, as Base64 of 32 bytes (AES-256). They
 * are different for each user, and stay the same as long as the installation has its secrets, in copies and backups
 * too.
 */
export async function readStorageKeys(db: Transaction, userId: number): Promise<Secrets<string>> {
  return deriveKeys(await readInstallationSecrets(db), (secret) =>
    createHmac('sha256', secret).update(`storage key of user ${userId}`).digest('base64'),
  );
}
