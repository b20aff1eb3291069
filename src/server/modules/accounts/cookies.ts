import { fastifyCookie } from '@fastify/cookie';
import type { Client } from '#server/http/route.ts';
import { sessionCookieName } from '#server/http/session.ts';

const YEAR = 365 * 24 * 60 * 60;

export function sessionCookie(token: string, client: Client): string {
  return fastifyCookie.serialize(sessionCookieName(client), token, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: client.secure,
  });
}

export function clearedSessionCookie(client: Client): string {
  return fastifyCookie.serialize(sessionCookieName(client), '', {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: client.secure,
    maxAge: 0,
  });
}

const DEVICE_COOKIE = 'indexdesk_device_';

/** Each user of a shared browser has a device cookie of their own. */
export function deviceCookieName(userId: number): string {
  return `${DEVICE_COOKIE}${userId}`;
}

/** The tokens of the device cookies that a browser has, of all its users. */
export function deviceTokens({ cookies }: Pick<Client, 'cookies'>): string[] {
  return [...cookies].flatMap(([name, token]) => (name.startsWith(DEVICE_COOKIE) ? [token] : []));
}

/** Proves that the user has signed in from this browser before; it is not a session. */
export function deviceCookie(userId: number, token: string, client: Client, path: string): string {
  return fastifyCookie.serialize(deviceCookieName(userId), token, {
    httpOnly: true,
    sameSite: 'lax',
    path,
    secure: client.secure,
    maxAge: YEAR,
  });
}
