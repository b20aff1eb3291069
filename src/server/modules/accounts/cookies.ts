import { fastifyCookie } from '@fastify/cookie';
import type { Client } from '#server/http/route.ts';
import { sessionCookieName } from '#server/http/session.ts';

const YEAR = 365 * 24 * 60 * 60;

/** @param maxAge in seconds; without it the cookie ends with the browser */
function sessionCookie(token: string, client: Client, maxAge?: number): string {
  return fastifyCookie.serialize(sessionCookieName(client), token, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: client.isSecure,
    ...(maxAge !== undefined && { maxAge }),
  });
}

/** Takes the session's cookie from the browser. */
export function clearedSessionCookie(client: Client): string {
  return sessionCookie('', client, 0);
}

/** Over https a browser accepts a cookie with the prefix `__Host-` only from this host itself, with the path `/`. */
const devicePrefix = ({ isSecure }: Pick<Client, 'isSecure'>) =>
  `${isSecure ? '__Host-' : ''}indexdesk_device_`;

/** Each user of a shared browser has a device cookie of their own. */
export function deviceCookieName(userId: number, client: Pick<Client, 'isSecure'>): string {
  return `${devicePrefix(client)}${userId}`;
}

/** The tokens of the device cookies that a browser has, of all its users. */
export function deviceTokens(client: Pick<Client, 'cookies' | 'isSecure'>): string[] {
  const prefix = devicePrefix(client);
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
  const cookie = sessionCookie(token, client);
  return deviceToken === null ? cookie : [cookie, deviceCookie(userId, deviceToken, client, path)];
}

/** Proves that the user has signed in from this browser before; it is not a session. */
function deviceCookie(userId: number, token: string, client: Client, path: string): string {
  return fastifyCookie.serialize(deviceCookieName(userId, client), token, {
    httpOnly: true,
    sameSite: 'lax',
    path: client.isSecure ? '/' : path,
    secure: client.isSecure,
    maxAge: YEAR,
  });
}
