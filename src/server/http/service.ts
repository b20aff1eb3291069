import type { FastifyRequest } from 'fastify';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/errors.ts';
import { accessOf, allows, type Access, type Role } from '#shared/rights.ts';
import { clientOf, hasSafeMethod, isCrossSite } from './client.ts';
import type { StoredAnswers } from './idempotency.ts';
import type { Modules } from './paths.ts';
import type { Caller, Client, Targets } from './route.ts';
import { sessionCookieName } from './session-cookie.ts';

/** A session that stands behind a request. */
interface SignedIn {
  readonly id: string;
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  /** milliseconds since 1970 UTC */
  readonly createdAt: number;
  readonly lastSeenAt: number;
}

/** What the HTTP side asks of the modules, which know it as routes alone. */
export interface Service {
  readonly database: Database;
  readonly modules: Modules;
  readonly maxBodyBytes: number;
  readonly maxFileBytes: number;
  /** how long the body of a request without a valid session may take, in seconds */
  readonly anonymousBodySeconds: number;
  /** where uploads are kept while their request lasts */
  readonly incomingDir: string;
  findSession(db: Transaction, token: string): Promise<SignedIn | undefined>;
  findArchive(db: Transaction, key: string): Promise<Archive | undefined>;
  findTable(db: Transaction, guid: string): Promise<Table | undefined>;
  grantedAccess(
    db: Transaction,
    userId: number,
    kind: 'archive' | 'table',
    collectionId: number,
  ): Promise<Access | null>;
  /** for requests with an idempotency key */
  readonly storedAnswers: StoredAnswers;
  /** a digest from which a password cannot be guessed fast */
  slowDigest(secret: Buffer, salt: Buffer): Promise<string>;
}

/** What a request was found to be allowed. */
export interface Admission<Target extends keyof Targets> {
  readonly caller: Caller;
  readonly target: Targets[Target];
  readonly access: Access;
}

interface Wanted<Target extends keyof Targets> {
  readonly target: Target;
  /** null: nothing is asked of the right but that the target is visible */
  readonly access: Access | null;
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
    throw new ApiError('cross_site', 'The request comes from a page of another site.');
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
  if (!session) throw new ApiError('unauthenticated', 'Sign in first.');
  request.signedIn = session;
  const { id: sessionId, userId, username, role } = session;
  const expected = request.headers[SESSION_HEADER];
  if (expected !== undefined && expected !== sessionId && !hasSafeMethod(request)) {
    throw new ApiError(
      'other_session',
      'Another session is active in this browser than the one in which this change was made. Nothing was changed. Sign in again and repeat it.',
    );
  }
  return { userId, username, role, sessionId, address: client.address };
}

/**
 * Checks session, target and right, in this order (docs/interface/decisions.md, section 3).
 * @throws {ApiError} 401; 409 `other_session`; 404 where the target does not exist for the user; 403
 */
export async function admit<Target extends keyof Targets>(
  service: Service,
  db: Transaction,
  request: FastifyRequest,
  client: Client,
  params: Readonly<Record<string, string>>,
  wanted: Wanted<Target>,
): Promise<Admission<Target>> {
  const caller = await requireSession(service, db, request, client);
  const find: Finders[Target] = FINDERS[wanted.target];
  const { target, access } = await find(service, db, params, caller);
  if (wanted.access !== null && !allows(access, wanted.access)) {
    throw new ApiError('forbidden', 'You do not have the right to do this.');
  }
  return { caller, target, access };
}

type Finders = {
  readonly [Target in keyof Targets]: (
    service: Service,
    db: Transaction,
    params: Readonly<Record<string, string>>,
    caller: Caller,
  ) => Promise<{ readonly target: Targets[Target]; readonly access: Access }>;
};

const FINDERS: Finders = {
  none: () => Promise.resolve({ target: null, access: 'manage' }),
  async archive(service, db, params, caller) {
    const target = await service.findArchive(db, params['archive'] ?? '');
    const access = target && (await heldAccess(service, db, caller, target));
    if (!access) throw new ApiError('not_found', 'There is no archive of this name or GUID.');
    return { target, access };
  },
  async table(service, db, params, caller) {
    const target = await service.findTable(db, params['guid'] ?? '');
    const access = target && (await heldAccess(service, db, caller, target));
    if (!access) throw new ApiError('not_found', 'There is no table of this GUID.');
    return { target, access };
  },
};

async function heldAccess(
  service: Service,
  db: Transaction,
  { userId, role }: Caller,
  collection: Archive | Table,
): Promise<Access | null> {
  if (role === 'administrator') return accessOf(role, null);
  return accessOf(role, await service.grantedAccess(db, userId, collection.kind, collection.id));
}
