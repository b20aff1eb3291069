import { fastifyCookie } from '@fastify/cookie';
import type { Client } from '#server/http/route.ts';

/**
 * The name of the cookie that carries the session (docs/interface/decisions.md, section 2). Over https a browser takes
 * a cookie of the prefix `__Host-` only from this host itself, so that no neighbour can set one.
 */
export function sessionCookieName({ secure }: Pick<Client, 'secure'>): string {
  return secure ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
}

export const SESSION_COOKIE = 'indexdesk_session';
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

const YEAR = 365 * 24 * 60 * 60;

/** The token in a Cookie header, whatever the connection; it may be none of a session. */
export function sessionTokenIn(cookies: string): string | undefined {
  return TOKEN_IN_COOKIES.exec(cookies)?.[1];
}

const TOKEN_IN_COOKIES = new RegExp(`(?:^|; *)(?:__Host-)?${SESSION_COOKIE}=([^;]{1,100})`);

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
