import type { Transaction } from './database.ts';
import { readSetting } from './installation.ts';
import { STORAGE_SECRET } from './migrations/storage-secret.ts';

/**
 * 32 random bytes of the installation, from which keys are derived. They never change, and copies and backups keep
 * them.
 */
export async function readInstallationSecret(db: Transaction): Promise<Buffer> {
  const stored = await readSetting(db, STORAGE_SECRET);
  if (stored === undefined) throw new Error('The installation has no storage secret.');
  return Buffer.from(stored, 'base64');
}
