import { cookieName, setCookie } from '#server/http/cookies.ts';
import type { Client } from '#server/http/route.ts';
import { sessionCookieName } from '#server/http/session.ts';

const YEAR = 365 * 24 * 60 * 60;

/** Takes the session's cookie from the browser. */
export function clearedSessionCookie(client: Client): string {
  return setCookie(sessionCookieName(client), '', client, { maxAge: 0 });
}

const DEVICE_COOKIE = 'indexdesk_device_';

/** Each user of a shared browser has a device cookie of their own. */
export function deviceCookieName(userId: number, client: Pick<Client, 'isSecure'>): string {
  return cookieName(`${DEVICE_COOKIE}${userId}`, client);
}

/** The tokens of the device cookies that a browser has, of all its users. */
export function deviceTokens(client: Pick<Client, 'cookies' | 'isSecure'>): string[] {
  const prefix = cookieName(DEVICE_COOKIE, client);
  return [...client.cookies].flatMap(([name, token]) => (name.startsWith(prefix) ? [token] : []));
}

interface SignInTokens {
  readonly token: string;
  readonly userId: number;
  /** null: a known browser, or a program */
  readonly deviceToken: string | null;
}

/**
 * The cookies of a new session.
 * @param path below which the browser proves that it is known, over http
 */
export function signInCookies(
  { token, userId, deviceToken }: SignInTokens,
  client: Client,
  path: string,
): string | string[] {
  const cookie = setCookie(sessionCookieName(client), token, client);
  return deviceToken === null ? cookie : [cookie, deviceCookie(userId, deviceToken, client, path)];
}

/** Proves that the user has signed in from this browser before; it is not a session. */
function deviceCookie(userId: number, token: string, client: Client, path: string): string {
  return setCookie(deviceCookieName(userId, client), token, client, { path, maxAge: YEAR });
}
