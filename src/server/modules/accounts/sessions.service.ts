import * as texts from '#messages/service/accounts.ts';
import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Client } from '#server/http/route.ts';
import type { Session } from '#shared/contract/answers.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { nameKey } from '#shared/rules/names.ts';
import { recordSystemHistory, type Actor } from '../history/history.service.ts';
import { verifyPassword } from './passwords.service.ts';
import { findCredentials } from './users.service.ts';
import { AccountDigests } from './account-digests.ts';
import { sessionCookieName } from '#server/http/session.ts';
import { deviceCookieName, deviceTokens } from './cookies.ts';
import * as store from './sessions.store.ts';
import type { StoredSession } from './sessions.store.ts';
import {
  attemptFrom,
  attemptOnDevice,
  countFailure,
  forgetOldFailures,
  forgive,
  hasOldFailures,
  standingOf,
  tooManyRequests,
} from './sign-in-throttle.service.ts';
import { hashToken, newToken } from './tokens.ts';
import { KeyedMutex } from './keyed-mutex.ts';

export { KeyedMutex } from './keyed-mutex.ts';

/** What decides whether the use of a session is stored. */
type Use = Pick<StoredSession, 'id' | 'createdAt' | 'lastSeenAt'>;

/** How long sessions last (docs/interface/decisions.md, section 2); milliseconds. */
export interface SessionSpan {
  readonly idle: number;
  readonly life: number;
}

/** How often the last use of a session is stored. */
const SEEN_EVERY = 60_000;
/** Further sessions end the least recently used ones: programs forget to sign out. */
const MAX_SESSIONS_PER_USER = 50;
const DEVICES_KEPT_FOR = 400 * 24 * 60 * 60_000;

/** A sign-in request. */
interface SignInContext {
  readonly call: string;
  /** aborted when the client has left */
  readonly signal: AbortSignal;
  readonly log: Log;
}

interface Log {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
}

interface SignIn {
  readonly session: Session;
  readonly token: string;
  readonly userId: number;
  /** null: a known browser, or a program */
  readonly deviceToken: string | null;
}

export interface Sessions {
  /** The valid session of a cookie's token, unless its user is disabled. */
  find(db: Transaction, token: string): Promise<StoredSession | undefined>;
  present(session: StoredSession): Session;
  /** Extends a used session, unless that was stored recently; called after the response. */
  seen(database: Database, session: Use): Promise<void>;
  /**
   * @throws {ApiError} `invalid_credentials`, the same for an unknown user, a wrong password and a disabled
   * user; `too_many_requests`; `unavailable` if too many sign in, or the client has left
   */
  signIn(
    database: Database,
    username: string,
    password: string,
    client: Client,
    context: SignInContext,
  ): Promise<SignIn>;
  /**
   * Ends a session of the actor's own.
   * @throws {ApiError} 404 if the user has no such session
   */
  end(
    db: Transaction,
    sessionId: string,
    actor: Actor & { readonly userId: number },
  ): Promise<void>;
  /** Removes expired sessions and their locks. */
  sweep(database: Database): Promise<void>;
}

export function openSessions({ idle, life }: SessionSpan): Sessions {
  const mutex = new KeyedMutex();
  const accountDigests = new AccountDigests();
  const seenEvery = Math.min(SEEN_EVERY, idle / 10);
  /** The earlier of the two ends is stored. */
  const endOf = (createdAt: number, lastSeenAt: number) =>
    Math.min(createdAt + life, lastSeenAt + idle);

  const isDue = (session: Use) => Date.now() - session.lastSeenAt >= seenEvery;

  const present = (session: StoredSession): Session => ({
    sessionId: session.id,
    username: session.username,
    displayName: session.displayName,
    role: session.role,
    expiresAt: new Date(
      isDue(session) ? endOf(session.createdAt, Date.now()) : session.expiresAt,
    ).toISOString(),
  });

  const signInNow = async (
    database: Database,
    username: string,
    password: string,
    client: Client,
    { call, signal }: SignInContext,
  ): Promise<SignIn> => {
    const startedAt = Date.now();
    const { user, deviceHash, isKnown, attempt, standing } = await database.read(async (db) => {
      const known = await identify(db, username, client);
      return { ...known, standing: await standingOf(db, known.attempt, startedAt) };
    });
    if (standing.wait > 0) throw tooManyRequests(standing.wait);

    const key = attempt.address ?? attempt.own;
    const right = await mutex.limited(key, standing.suspect, () =>
      verifyPassword(password, user?.passwordHash, { isKnown, key, signal }),
    );
    if (!right || !user || user.disabled) {
      const now = Date.now();
      await countFailure(database, attempt, now);
      if (standing.suspect) {
        throw tooManyRequests((await database.read((db) => standingOf(db, attempt, now))).wait);
      }
      throw invalidCredentials();
    }

    const token = newToken();
    const deviceToken = client.browser && !deviceHash ? newToken() : null;
    const rememberedDevice = deviceToken === null ? deviceHash : hashToken(deviceToken);
    const id = randomUUID();
    const createdAt = Date.now();
    const session = await database.write(async (db) => {
      // The password or the user may have changed since the check outside the transaction.
      const current = await findCredentials(db, username);
      if (!current || current.disabled || current.passwordHash !== user.passwordHash) return null;
      // Concurrent guesses at several processes are not in sequence, so failures may have been counted since.
      const { wait } = await standingOf(db, attempt, startedAt);
      if (wait > 0) throw tooManyRequests(wait);
      await forgive(db, attempt);
      const expiresAt = endOf(createdAt, createdAt);
      await store.insertSession(db, {
        id,
        tokenHash: hashToken(token),
        userId: current.id,
        address: client.address,
        createdAt,
        expiresAt,
      });
      const { address } = client;
      const actor = { userId: current.id, username: current.username, address, call };
      await recordSession(db, actor, createdAt, id, 'create');
      await endReplacedSessions(db, client, call, createdAt);
      for (const ended of await store.deleteSessionsBeyond(db, current.id, MAX_SESSIONS_PER_USER)) {
        await recordSession(db, actor, createdAt, ended, 'delete');
      }
      if (rememberedDevice) {
        await store.rememberDevice(db, rememberedDevice, current.id, createdAt);
        await store.insertSessionDevice(db, id, rememberedDevice);
      }
      const { username: name, displayName, role } = current;
      return present({
        id,
        userId: current.id,
        username: name,
        displayName,
        role,
        createdAt,
        lastSeenAt: createdAt,
        expiresAt,
      });
    });
    if (!session) throw invalidCredentials();
    return { session, token, userId: user.id, deviceToken };
  };

  return {
    find: (db, token) => store.readSession(db, hashToken(token), Date.now()),
    present,
    async seen(database, session) {
      if (!isDue(session)) return;
      await mutex.once(session.id, async () => {
        const now = Date.now();
        await database.write((db) =>
          store.extendSession(db, session.id, now, endOf(session.createdAt, now)),
        );
      });
    },
    async signIn(database, username, password, client, context) {
      const { user, attempt } = await database.read((db) => identify(db, username, client));
      const { address } = client;
      // People type passwords into the wrong field.
      const account = user
        ? { account: user.username }
        : { accountDigest: accountDigests.of(username) };
      try {
        // In turn by what is counted, so that no failure is still uncounted when the next is looked at.
        const signedIn = await mutex.runExclusive(attempt.own, () =>
          signInNow(database, username, password, client, context),
        );
        context.log.info({ ...account, address }, 'signed in');
        return signedIn;
      } catch (error) {
        const reason = error instanceof ApiError ? error.code : 'internal';
        context.log.warn({ ...account, address, reason }, 'sign-in refused');
        throw error;
      }
    },
    async end(db, sessionId, actor) {
      if (!(await store.deleteSession(db, sessionId, actor.userId))) {
        throw new ApiError('not_found', texts.noSession);
      }
      await recordSession(db, actor, Date.now(), sessionId, 'delete');
    },
    async sweep(database) {
      const now = Date.now();
      const { sessions, failures } = await database.read(async (db) => ({
        sessions: await store.hasExpiredSessions(db, now),
        failures: await hasOldFailures(db, now),
      }));
      if (!sessions && !failures) return;
      await database.write(async (db) => {
        await store.deleteExpiredSessions(db, now);
        await store.forgetDevices(db, now - DEVICES_KEPT_FOR);
        await forgetOldFailures(db, now);
      });
    },
  };
}

/**
 * Ends the session that the browser had before, any user's it was: a browser has one session. Its cookie is replaced; where
 * it is gone, as after the browser was closed, the device cookies tell which it was.
 */
async function endReplacedSessions(
  db: Transaction,
  client: Client,
  call: string,
  now: number,
): Promise<void> {
  const token = client.cookies.get(sessionCookieName(client));
  const session = token && (await store.readSession(db, hashToken(token), now));
  const devices = deviceTokens(client).map(hashToken);
  const sessions = await store.readSessionsOfDevices(db, devices);
  for (const { id, userId, username } of session ? [session, ...sessions] : sessions) {
    if (!(await store.deleteSession(db, id, userId))) continue;
    const actor = { userId, username, address: client.address, call };
    await recordSession(db, actor, now, id, 'delete');
  }
}

/** Adds the begin or end of a session of the actor to the history. */
function recordSession(
  db: Transaction,
  { userId, username, address, call }: Actor & { readonly userId: number },
  at: number,
  sessionId: string,
  kind: 'create' | 'delete',
): Promise<void> {
  const state = { sessionId };
  return recordSystemHistory(db, { userId, username, address, call }, at, {
    scope: 'session',
    kind,
    collectionId: 0,
    rowId: userId,
    before: kind === 'create' ? null : state,
    after: kind === 'create' ? state : null,
  });
}

/** The account of an attempt, and the counters of its failures. */
async function identify(db: Transaction, username: string, client: Client) {
  const user = await findCredentials(db, username);
  const deviceHash = user && (await knownDevice(db, user.id, client));
  const attempt = deviceHash
    ? attemptOnDevice(deviceHash)
    : attemptFrom(nameKey(username), client.address);
  const isKnown =
    client.isKnown ||
    deviceHash !== undefined ||
    // An unknown user has no hash, and takes as long.
    (await store.hasSessionFrom(db, user?.id ?? 0, client.address));
  return { user, deviceHash, isKnown, attempt };
}

async function knownDevice(
  db: Transaction,
  userId: number,
  client: Client,
): Promise<string | undefined> {
  const token = client.cookies.get(deviceCookieName(userId));
  if (!token) return undefined;
  const hash = hashToken(token);
  return (await store.isDeviceOf(db, hash, userId)) ? hash : undefined;
}

function invalidCredentials(): ApiError {
  return new ApiError('invalid_credentials', texts.credentialsWrong);
}
