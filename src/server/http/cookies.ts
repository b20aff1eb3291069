import { fastifyCookie } from '@fastify/cookie';
import type { Client } from './route.ts';

/**
 * Over https a browser accepts a cookie with the prefix `__Host-` only from this host itself, with the path `/`, so that no
 * other host of the domain can set one.
 */
export function cookieName(name: string, { isSecure }: Pick<Client, 'isSecure'>): string {
  return isSecure ? `__Host-${name}` : name;
}

interface CookieOptions {
  /** in seconds; 0 removes the cookie; without it the cookie ends with the browser */
  readonly maxAge?: number;
  /** over http; over https it is `/` */
  readonly path?: string;
}

/** A `Set-Cookie` header. @param name of `cookieName` */
export function setCookie(
  name: string,
  value: string,
  { isSecure }: Pick<Client, 'isSecure'>,
  { maxAge, path = '/' }: CookieOptions = {},
): string {
  return fastifyCookie.serialize(name, value, {
    httpOnly: true,
    // With `strict` it would not be sent on the way back from an OpenID provider.
    sameSite: 'lax',
    path: isSecure ? '/' : path,
    secure: isSecure,
    ...(maxAge !== undefined && { maxAge }),
  });
}
