import * as z from 'zod';
import type { Client } from '#server/http/route.ts';
import { cookieName, setCookie } from '#server/http/cookies.ts';
import { seal, unseal, type CookieKeys } from './sealed-cookies.ts';

const COOKIE = 'indexdesk_sign_out';
/** In seconds; browsers keep cookies no longer. */
const LIFE = 400 * 24 * 60 * 60;
/** The cookie is sent with each request. Without it the provider asks the user whether to sign out. */
const MAX_COOKIE_LENGTH = 3_000;

const hintSchema = z.object({ idToken: z.string() });

/**
 * The cookie with the encrypted ID token of the session: sent to the provider, it identifies the user to sign out. A
 * token that is too large is not stored.
 */
export async function hintCookie(
  keys: CookieKeys,
  idToken: string,
  client: Client,
): Promise<string> {
  const value = await seal(keys, { idToken }, LIFE);
  return value.length > MAX_COOKIE_LENGTH
    ? clearedHintCookie(client)
    : setCookie(cookieName(COOKIE, client), value, client);
}

export function clearedHintCookie(client: Client): string {
  return setCookie(cookieName(COOKIE, client), '', client, { maxAge: 0 });
}

/** The ID token of the last sign-in with the provider in this browser. */
export async function readHint(keys: CookieKeys, client: Client): Promise<string | undefined> {
  const value = client.cookies.get(cookieName(COOKIE, client));
  return (await unseal(keys, value, hintSchema))?.idToken;
}
