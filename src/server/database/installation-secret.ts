import { randomBytes } from 'node:crypto';
import type { Transaction } from './database.ts';
import { readSetting, STORAGE_SECRET, writeSetting } from './installation.ts';

/** The newest first. */
export type Secrets<Secret> = readonly [Secret, ...Secret[]];

const BYTES = 32;
/** Base64 does not contain it. */
const SEPARATOR = ',';

/**
 * The secrets of the installation, 32 random bytes each, from which keys are derived; copies and backups keep them. The
 * newest encrypts; the others only decrypt what was encrypted before they were replaced.
 */
export async function readInstallationSecrets(db: Transaction): Promise<Secrets<Buffer>> {
  const stored = await readSetting(db, STORAGE_SECRET);
  if (stored === undefined) throw new Error('The installation has no storage secret.');
  const [newest = '', ...older] = stored.split(SEPARATOR);
  const decode = (secret: string) => Buffer.from(secret, 'base64');
  return [decode(newest), ...older.map(decode)];
}

/** Puts a new secret before the others. */
export async function addInstallationSecret(db: Transaction): Promise<void> {
  const secrets = [randomBytes(BYTES), ...(await readInstallationSecrets(db))];
  await writeSecrets(db, secrets);
}

/** Removes all secrets but the newest. @returns how many there were */
export async function removeOlderInstallationSecrets(db: Transaction): Promise<number> {
  const [newest, ...older] = await readInstallationSecrets(db);
  await writeSecrets(db, [newest]);
  return older.length;
}

function writeSecrets(db: Transaction, secrets: readonly Buffer[]): Promise<void> {
  const encoded = secrets.map((secret) => secret.toString('base64'));
  return writeSetting(db, STORAGE_SECRET, encoded.join(SEPARATOR));
}

/** A key derived from each secret. */
export function deriveKeys<Key>(
  [newest, ...older]: Secrets<Buffer>,
  derive: (secret: Buffer) => Key,
): Secrets<Key> {
  return [derive(newest), ...older.map(derive)];
}
