import * as z from 'zod';
import type { Client } from '#server/http/route.ts';
import { cookieName, setCookie } from '#server/http/cookies.ts';
import { seal, unseal, type CookieKeys } from './sealed-cookies.ts';

/** Time limit for the user at the provider, in seconds. */
export const STATE_LIFE = 10 * 60;
/** How many sign-ins may be open in the tabs of a browser; the cookies of older ones are removed. */
const MAX_OPEN = 4;
const COOKIE = 'indexdesk_oidc_';

/**
 * A started sign-in, which the browser carries to the callback: encrypted, so that nothing is stored for
 * unauthenticated clients.
 */
const stateSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** where to continue: a path of this service */
  next: z.string(),
});
export type SignInState = z.output<typeof stateSchema>;

/** The cookies that bind a sign-in to the browser that started it. */
export async function stateCookies(
  keys: CookieKeys,
  { state, ...rest }: SignInState,
  client: Client,
): Promise<string[]> {
  const value = await seal(keys, { state, ...rest }, STATE_LIFE);
  const prefix = cookieName(COOKIE, client);
  const open = [...client.cookies.keys()].filter((name) => name.startsWith(prefix));
  const excess = open.slice(0, Math.max(0, open.length - MAX_OPEN + 1));
  return [
    ...excess.map((name) => setCookie(name, '', client, { maxAge: 0 })),
    setCookie(nameOf(state, client), value, client, { maxAge: STATE_LIFE }),
  ];
}

/** Removes the cookie of a sign-in. */
export function clearedStateCookie(state: string, client: Client): string {
  return setCookie(nameOf(state, client), '', client, { maxAge: 0 });
}

/** The sign-in that this browser has started with a state; undefined: none, or expired. */
export async function readSignInState(
  keys: CookieKeys,
  state: string,
  client: Client,
): Promise<SignInState | undefined> {
  const read = await unseal(keys, client.cookies.get(nameOf(state, client)), stateSchema);
  return read?.state === state ? read : undefined;
}

/** Each sign-in has its own cookie, so that those of two tabs do not interfere. */
function nameOf(state: string, client: Client): string {
  return cookieName(COOKIE, client) + state.replaceAll(/[^\w-]/g, '').slice(0, 12);
}
