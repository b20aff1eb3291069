import * as texts from '#messages/service/http.ts';
import type { FastifyRequest } from 'fastify';
import type { Transaction } from '#server/database/database.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { hasSafeMethod, isCrossSite } from './client.ts';
import { cookieName } from './cookies.ts';
import type { Caller, Client } from './route.ts';
import type { HttpServices, SignedIn } from './http-services.ts';

export const SESSION_COOKIE = 'indexdesk_session';
export const SECURE_SESSION_COOKIE = cookieName(SESSION_COOKIE, { isSecure: true });

/** The name of the session cookie (docs/interface/decisions.md, section 2). */
export function sessionCookieName(client: Pick<Client, 'isSecure'>): string {
  return cookieName(SESSION_COOKIE, client);
}

const TOKEN_IN_COOKIES = new RegExp(`(?:^|; *)(?:__Host-)?${SESSION_COOKIE}=([^;]{1,100})`);

/** The token in a Cookie header, over http or https; it may be invalid. */
export function sessionTokenIn(cookies: string): string | undefined {
  return TOKEN_IN_COOKIES.exec(cookies)?.[1];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** the session or token of the request, once it is known */
    signedIn: SignedIn | null;
  }
}

/** The authentication scheme of tokens (RFC 6750). */
const BEARER = 'Bearer';

/**
 * The token of an `Authorization: Bearer` header (RFC 6750, section 2.1); empty if it is malformed.
 * @returns undefined without such a header
 */
export function bearerTokenIn(authorization: string | undefined): string | undefined {
  const bearer = authorization === undefined ? null : /^bearer(?: +|$)(.*)$/i.exec(authorization);
  return bearer ? (/^[\w.~+/-]{1,200}=*$/.exec(bearer[1] ?? '')?.[0] ?? '') : undefined;
}

/**
 * Requests with a token are exempt, because a page of another site cannot make a browser send one.
 * @throws {ApiError} 403 `cross_site`
 */
export function requireSameSite(request: FastifyRequest): void {
  if (bearerTokenIn(request.headers.authorization) !== undefined) return;
  if (isCrossSite(request)) {
    throw new ApiError('cross_site', texts.crossSite);
  }
}

/**
 * The session that a client expects to write with. All tabs of a browser share one cookie: without this header a tab
 * would write as the user who signed in last in another tab.
 */
const SESSION_HEADER = 'indexdesk-session';

/**
 * The caller of a request: the owner of its token, or the user of its session.
 * @throws {ApiError} 401 without a valid session or token; 409 `other_session` if a write names another session
 */
export async function requireSession(
  services: HttpServices,
  db: Transaction,
  request: FastifyRequest,
  client: Client,
): Promise<Caller> {
  const bearer = bearerTokenIn(request.headers.authorization);
  const signedIn =
    bearer === undefined
      ? await findSession(services, db, client)
      : await findToken(services, db, client, bearer);
  request.signedIn = signedIn;
  const { id: sessionId, userId, username, role, viewer, scope } = signedIn;
  const expected = request.headers[SESSION_HEADER];
  if (expected !== undefined && expected !== signedIn.publicId && !hasSafeMethod(request)) {
    throw new ApiError('other_session', texts.otherSession);
  }
  return { userId, username, role, sessionId, scope, viewer, address: client.address };
}

async function findSession(
  services: HttpServices,
  db: Transaction,
  client: Client,
): Promise<SignedIn> {
  const token = client.cookies.get(sessionCookieName(client));
  const session = token ? await services.sessions.find(db, token) : undefined;
  if (!session) throw new ApiError('unauthenticated', texts.signInFirst);
  return session;
}

async function findToken(
  services: HttpServices,
  db: Transaction,
  client: Client,
  token: string,
): Promise<SignedIn> {
  const found = await services.accessTokens.find(db, token, client);
  if (found) return found;
  throw new ApiError('unauthenticated', texts.tokenInvalid, {
    headers: { 'www-authenticate': `${BEARER} error="invalid_token"` },
  });
}
