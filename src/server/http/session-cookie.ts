import type { Client } from './route.ts';

export const SESSION_COOKIE = 'indexdesk_session';
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

/**
 * The name of the cookie that carries the session (docs/interface/decisions.md, section 2). Over https a browser takes
 * a cookie of the prefix `__Host-` only from this host itself, so that no neighbour can set one.
 */
export function sessionCookieName({ secure }: Pick<Client, 'secure'>): string {
  return secure ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
}

const TOKEN_IN_COOKIES = new RegExp(`(?:^|; *)(?:__Host-)?${SESSION_COOKIE}=([^;]{1,100})`);

/** The token in a Cookie header, whatever the connection; it may be none of a session. */
export function sessionTokenIn(cookies: string): string | undefined {
  return TOKEN_IN_COOKIES.exec(cookies)?.[1];
}
