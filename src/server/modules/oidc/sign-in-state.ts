import { hkdfSync } from 'node:crypto';
import { fastifyCookie } from '@fastify/cookie';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import { readSetting } from '#server/database/installation.ts';
import { STORAGE_SECRET } from '#server/database/migrations/storage-secret.ts';
import type { Client } from '#server/http/route.ts';

/** How long a person may take at the provider, in seconds. */
export const STATE_LIFE = 10 * 60;
/** So many sign-ins may be open in the tabs of a browser; of the others the cookies are removed. */
const MOST_OPEN = 4;
const COOKIE = 'indexdesk_oidc_';

/** A sign-in that has begun, as the browser carries it to the callback: encrypted, so that nothing is stored for strangers. */
const stateSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** where to continue: a path of this service */
  next: z.string(),
});
export type SignInState = z.output<typeof stateSchema>;

/** The key of the cookies; all processes of an installation have the same. */
export async function readStateKey(db: Transaction): Promise<Uint8Array> {
  const stored = await readSetting(db, STORAGE_SECRET);
  if (stored === undefined) throw new Error('The installation has no storage secret.');
  const secret = Buffer.from(stored, 'base64');
  return new Uint8Array(hkdfSync('sha256', secret, '', 'state of sign-ins', 32));
}

/** The cookies that bind a sign-in to the browser in which it begins. */
export async function stateCookies(
  key: Uint8Array,
  { state, ...rest }: SignInState,
  client: Client,
): Promise<string[]> {
  const value = await new EncryptJWT({ state, ...rest })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setIssuedAt()
    .setExpirationTime(`${STATE_LIFE}s`)
    .encrypt(key);
  const open = [...client.cookies.keys()].filter((name) => name.startsWith(prefixOf(client)));
  const surplus = open.slice(0, Math.max(0, open.length - MOST_OPEN + 1));
  return [
    ...surplus.map((name) => cookie(name, '', client, 0)),
    cookie(nameOf(state, client), value, client, STATE_LIFE),
  ];
}

/** Removes the cookie of a sign-in. */
export function clearedStateCookie(state: string, client: Client): string {
  return cookie(nameOf(state, client), '', client, 0);
}

/** The sign-in that this browser has begun with a state; undefined: none, or it was too long ago. */
export async function readState(
  key: Uint8Array,
  state: string,
  client: Client,
): Promise<SignInState | undefined> {
  const value = client.cookies.get(nameOf(state, client));
  if (value === undefined) return undefined;
  try {
    const { payload } = await jwtDecrypt(value, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      requiredClaims: ['exp'],
    });
    const read = stateSchema.safeParse(payload);
    return read.success && read.data.state === state ? read.data : undefined;
  } catch {
    return undefined;
  }
}

function prefixOf({ secure }: Pick<Client, 'secure'>): string {
  return secure ? `__Host-${COOKIE}` : COOKIE;
}

/** Each sign-in has a cookie of its own, so that those of two tabs do not disturb each other. */
function nameOf(state: string, client: Client): string {
  return prefixOf(client) + state.replaceAll(/[^\w-]/g, '').slice(0, 12);
}

function cookie(name: string, value: string, { secure }: Client, maxAge: number): string {
  // Of the strict kind it would not come back from the provider.
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge } as const;
  return fastifyCookie.serialize(name, value, options);
}
