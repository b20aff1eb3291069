import * as texts from '#messages/service/http.ts';
import type { FastifyRequest } from 'fastify';
import type { Transaction } from '#server/database/database.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { clientOf, hasSafeMethod, isCrossSite } from './client.ts';
import type { Caller, Client } from './route.ts';
import type { Service, SignedIn } from './service.ts';

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

declare module 'fastify' {
  interface FastifyRequest {
    /** the session on which the request came, once it is known */
    signedIn: SignedIn | null;
  }
}

/** @throws {ApiError} 403 `cross_site` */
export function refuseCrossSite(request: FastifyRequest): void {
  if (isCrossSite(request)) {
    throw new ApiError('cross_site', texts.crossSite);
  }
}

/**
 * The session whose id a writing client expects to be its own. All tabs of a browser share one cookie: without
 * this header a tab would write as the person who signed in last in another tab.
 */
const SESSION_HEADER = 'indexdesk-session';

/** @throws {ApiError} 401 without a valid session; 409 `other_session` where a write names another one */
export async function requireSession(
  service: Service,
  db: Transaction,
  request: FastifyRequest,
  client: Client = clientOf(request),
): Promise<Caller> {
  const token = client.cookies.get(sessionCookieName(client));
  const session = token ? await service.findSession(db, token) : undefined;
  if (!session) throw new ApiError('unauthenticated', texts.signInFirst);
  request.signedIn = session;
  const { id: sessionId, userId, username, role } = session;
  const expected = request.headers[SESSION_HEADER];
  if (expected !== undefined && expected !== sessionId && !hasSafeMethod(request)) {
    throw new ApiError('other_session', texts.otherSession);
  }
  return { userId, username, role, sessionId, address: client.address };
}
