import { hkdfSync } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import {
  deriveKeys,
  readInstallationSecrets,
  type Secrets,
} from '#server/database/installation-secret.ts';

/** Loaded when somebody first signs in with a provider. */
const library = () => import('jose');

/** The keys of the encrypted cookies, the newest first; all processes of an installation have the same. */
export type CookieKeys = Secrets<Uint8Array>;

export async function readCookieKeys(db: Transaction): Promise<CookieKeys> {
  return deriveKeys(
    await readInstallationSecrets(db),
    (secret) => new Uint8Array(hkdfSync('sha256', secret, '', 'state of sign-ins', 32)),
  );
}

/** Encrypts the content of a cookie. @param life until it is rejected, in seconds */
export async function seal([key]: CookieKeys, payload: JWTPayload, life: number): Promise<string> {
  const { EncryptJWT } = await library();
  return new EncryptJWT(payload)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setIssuedAt()
    .setExpirationTime(`${life}s`)
    .encrypt(key);
}

/** The content of a cookie; undefined: it is not from this service, not of this kind, or expired. */
export async function unseal<Payload>(
  keys: CookieKeys,
  value: string | undefined,
  schema: z.ZodType<Payload>,
): Promise<Payload | undefined> {
  if (value === undefined) return undefined;
  const payloads = await Promise.all(keys.map((key) => decrypt(key, value)));
  return schema.safeParse(payloads.find((payload) => payload !== undefined)).data;
}

async function decrypt(key: Uint8Array, value: string): Promise<JWTPayload | undefined> {
  const { jwtDecrypt } = await library();
  try {
    const { payload } = await jwtDecrypt(value, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      requiredClaims: ['exp'],
    });
    return payload;
  } catch {
    return undefined;
  }
}
