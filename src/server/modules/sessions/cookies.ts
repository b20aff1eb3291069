import { fastifyCookie } from '@fastify/cookie';
import type { Client } from '#server/http/route.ts';

/** The cookie that carries the session (interface decisions, section 2). */
export const SESSION_COOKIE = 'indexdesk_session';

const YEAR = 365 * 24 * 60 * 60;

export function sessionCookie(token: string, client: Client): string {
  return fastifyCookie.serialize(SESSION_COOKIE, token, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: client.secure,
  });
}

export function clearedSessionCookie(client: Client): string {
  return fastifyCookie.serialize(SESSION_COOKIE, '', {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: client.secure,
    maxAge: 0,
  });
}

/** Each user of a shared browser has a device cookie of their own. */
export function deviceCookieName(userId: number): string {
  return `indexdesk_device_${userId}`;
}

/** Tells that the user has signed in from this browser before; it opens nothing. */
export function deviceCookie(userId: number, token: string, client: Client, path: string): string {
  return fastifyCookie.serialize(deviceCookieName(userId), token, {
    httpOnly: true,
    sameSite: 'lax',
    path,
    secure: client.secure,
    maxAge: YEAR,
  });
}
