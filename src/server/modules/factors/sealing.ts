import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Transaction } from '#server/database/database.ts';
import { readInstallationSecrets } from '#server/database/installation-secret.ts';

const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** Each message has its own key, so the nonce is never reused with a key. */
const NONCE = Buffer.alloc(12);

/** Encrypts and authenticates texts with the newest secret of the installation (AES-256-GCM, keys by HKDF). */
export interface Sealer {
  /** @param purpose only `open` with the same one succeeds */
  seal(purpose: string, text: string): string;
  /** null: it was not sealed here for this purpose */
  open(purpose: string, sealed: string): string | null;
}

export async function readSealer(db: Transaction): Promise<Sealer> {
  const secrets = await readInstallationSecrets(db);
  const keyOf = (secret: Buffer, purpose: string, salt: Buffer) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `second factor: ${purpose}`, 32));
  return {
    seal(purpose, text) {
      const salt = randomBytes(SALT_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyOf(secrets[0], purpose, salt), NONCE);
      const parts = [salt, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(parts).toString('base64url');
    },
    open(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      // Another encoding of the same bytes would count as a different challenge in the table of used ones.
      if (bytes.length < SALT_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) {
        return null;
      }
      const salt = bytes.subarray(0, SALT_BYTES);
      for (const secret of secrets) {
        const text = decrypt(bytes, keyOf(secret, purpose, salt));
        if (text !== null) return text;
      }
      return null;
    },
  };
}

/** @param bytes salt, encrypted text and tag */
function decrypt(bytes: Buffer, key: Buffer): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, NONCE, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
