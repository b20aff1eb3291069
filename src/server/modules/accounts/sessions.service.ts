import * as texts from '#messages/service/accounts.ts';
import * as httpTexts from '#messages/service/http.ts';
import * as peopleTexts from '#messages/service/people.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Caller } from '#server/http/route.ts';
import type { Session } from '#shared/contract/answers.ts';
import type { OpenSession } from '#shared/contract/configuration-people.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { isFactorRequired, type SecondFactorPolicy } from '#shared/rules/second-factor.ts';
import type { Refusals } from '../history/refusals.ts';
import {
  deleteExpiredChallenges,
  hasExpiredChallenges,
  hasFactor,
} from '../factors/factors.service.ts';
import type { FactorProofs } from '../factors/proofs.ts';
import type { Actor } from '../history/history.service.ts';
import type { PasswordChecks } from './password-checks.service.ts';
import { readIdentity } from './identities.service.ts';
import { findUserById, type User } from './users.service.ts';
import { endProviderSessionsOf, recordSession, recordView } from './session-rows.service.ts';
import { beginSession, type SignInRequest } from './begin-session.ts';
import { deleteDevices } from './devices.store.ts';
import * as store from './sessions.store.ts';
import type { StoredSession } from './sessions.store.ts';
import { openSignIn, type SignIn, type SignInBy } from './sign-in.service.ts';
import { deleteOldFailures, hasOldFailures } from './sign-in-throttle.service.ts';
import { hashToken } from './tokens.ts';
import { KeyedMutex } from './keyed-mutex.ts';

/** A session, and the restrictions of its user. */
interface ValidSession extends StoredSession {
  /** whether the user must set up a second factor first */
  readonly secondFactorEnrolmentRequired: boolean;
}

/** The data that determine whether the use of a session is stored. */
type Use = Pick<StoredSession, 'id' | 'createdAt' | 'lastSeenAt'>;

/** How long sessions last (docs/interface/decisions.md, section 2), in milliseconds, and how they end. */
interface SessionSettings {
  readonly idle: number;
  readonly life: number;
  /** whether signing out of a session that began at the provider also signs out there */
  readonly providerSignOut: boolean;
}

/** The sessions of a provider's sign-ins. */
interface ProviderSessions {
  readonly issuer: string;
  /** undefined: the owner of the session `sid` */
  readonly subject: string | undefined;
  /** the session at the provider; undefined: all of the subject */
  readonly sid: string | undefined;
}

/** How often the last use of a session is stored. */
const SEEN_EVERY = 60_000;
const DEVICES_KEPT_FOR = 400 * 24 * 60 * 60_000;

/** The user as whom an administrator views the service. */
interface ViewedUser {
  readonly id: number;
  readonly username: string;
  readonly disabled: boolean;
}

export interface Sessions {
  /** The valid session of a cookie's token, unless its user is disabled. */
  find(db: Transaction, token: string): Promise<ValidSession | undefined>;
  present(session: ValidSession): Session;
  /**
   * Lets the administrator's session view the service as another user, until `endView` or its end.
   * @throws {ApiError} 409 for the administrator's own and for a disabled account
   */
  startView(db: Transaction, viewed: ViewedUser, viewer: Caller, call: string): Promise<void>;
  /** @throws {ApiError} 404 if the session does not view the service as another user */
  endView(db: Transaction, caller: Caller, call: string): Promise<void>;
  /** Extends a used session, unless that was stored recently; called after the response. */
  seen(database: Database, session: Use): Promise<void>;
  /**
   * @throws {ApiError} `invalid_credentials`, the same for an unknown user, a wrong password and a disabled user;
   * `forbidden` if passwords are disabled; `second_factor_required` with the second step; `too_many_requests`;
   * `unavailable` if too many sign in, or the client has left
   */
  readonly signIn: SignInBy;
  /** Begins a session of a user whose identity the caller has proven in this transaction: see `beginSession`. */
  begin(db: Transaction, user: User, request: SignInRequest): Promise<SignIn>;
  /**
   * Ends one of the actor's own sessions.
   * @throws {ApiError} 404 if the user has no such session
   */
  end(
    db: Transaction,
    sessionId: string,
    actor: Actor & { readonly userId: number },
  ): Promise<void>;
  /**
   * Ends a session of any user.
   * @throws {ApiError} 404 if there is no such session
   */
  endAny(db: Transaction, sessionId: string, actor: Actor): Promise<void>;
  /** Ends sessions of sign-ins at the provider, at its request. */
  endByProvider(
    db: Transaction,
    which: ProviderSessions,
    from: { readonly address: string; readonly call: string },
  ): Promise<void>;
  /** The valid sessions, the last used first. @param userId only this user's; null: everybody's */
  list(db: Transaction, userId: number | null): Promise<OpenSession[]>;
  /** Removes expired sessions and their locks. */
  sweep(database: Database): Promise<void>;
}

/** The policy of second factors, and how one is checked. */
interface SecondFactorSettings {
  readonly policy: SecondFactorPolicy;
  readonly publicUrl: string | undefined;
  readonly proofs: FactorProofs;
}

/** @param refusals records rejected second factors */
export function openSessions(
  { idle, life, providerSignOut }: SessionSettings,
  { policy, publicUrl, proofs }: SecondFactorSettings,
  passwords: PasswordChecks,
  refusals: Refusals,
): Sessions {
  const mutex = new KeyedMutex();
  const seenEvery = Math.min(SEEN_EVERY, idle / 10);
  /** The earlier of the two ends is stored. */
  const endOf = (createdAt: number, lastSeenAt: number) =>
    Math.min(createdAt + life, lastSeenAt + idle);

  const isDue = (session: Use) => Date.now() - session.lastSeenAt >= seenEvery;

  const present = (session: ValidSession): Session => ({
    sessionId: session.publicId,
    username: session.username,
    displayName: session.displayName,
    role: session.role,
    ...(session.viewer ? { seenBy: session.viewer.username } : {}),
    expiresAt: new Date(
      isDue(session) ? endOf(session.createdAt, Date.now()) : session.expiresAt,
    ).toISOString(),
    ...(session.passwordChangeRequired ? { passwordChangeRequired: true } : {}),
    ...(session.secondFactorEnrolmentRequired ? { secondFactorEnrolmentRequired: true } : {}),
    ...(providerSignOut && session.isByProvider ? { providerSignOut: true } : {}),
  });

  const withPolicy = async (db: Transaction, session: StoredSession): Promise<ValidSession> => ({
    ...session,
    // An administrator who views the service as another user has met the policy with their own account, and a provider
    // has its own policy.
    secondFactorEnrolmentRequired:
      session.viewer === null &&
      !session.isByProvider &&
      isFactorRequired(policy, session.role) &&
      !(await hasFactor(db, session.userId)),
  });

  const begin = async (db: Transaction, user: User, request: SignInRequest): Promise<SignIn> => {
    const { session, token, deviceToken } = await beginSession(db, user, request, (createdAt) =>
      endOf(createdAt, createdAt),
    );
    const { userId } = session;
    return { session: present(await withPolicy(db, session)), token, userId, deviceToken };
  };

  const signIn = openSignIn({ publicUrl, proofs, passwords, refusals }, begin);

  return {
    async find(db, token) {
      const session = await store.readSession(db, hashToken(token), Date.now());
      return session && withPolicy(db, session);
    },
    present,
    begin,
    async seen(database, session) {
      if (!isDue(session)) return;
      await mutex.once(session.id, async () => {
        const now = Date.now();
        await database.write((db) =>
          store.extendSession(db, session.id, now, endOf(session.createdAt, now)),
        );
      });
    },
    signIn,
    async startView(db, { id, username, disabled }, viewer, call) {
      if (viewer.scope) throw new ApiError('forbidden', httpTexts.notByToken);
      if (id === viewer.userId) throw new ApiError('conflict', peopleTexts.seeAsSelf);
      if (disabled) throw new ApiError('conflict', peopleTexts.seeAsDisabled({ username }));
      const now = Date.now();
      await store.insertView(db, viewer.sessionId, id, now);
      await recordView(db, { ...viewer, call }, viewer.userId, now, null, username);
    },
    async endView(db, { viewer, username, sessionId, address }, call) {
      if (!viewer) throw new ApiError('not_found', peopleTexts.noView);
      await store.deleteView(db, sessionId);
      await recordView(db, { ...viewer, address, call }, viewer.userId, Date.now(), username, null);
    },
    async end(db, sessionId, actor) {
      if (!(await store.deleteSession(db, sessionId, actor.userId))) {
        throw new ApiError('not_found', texts.noSession);
      }
      await recordSession(db, actor, actor.userId, Date.now(), sessionId, 'delete');
    },
    async endAny(db, sessionId, actor) {
      const userId = await store.readOwner(db, sessionId);
      if (userId === undefined || !(await store.deleteSession(db, sessionId, userId))) {
        throw new ApiError('not_found', peopleTexts.noSession);
      }
      await recordSession(db, actor, userId, Date.now(), sessionId, 'delete');
    },
    async endByProvider(db, which, from) {
      for (const { id: userId, username } of await usersOf(db, which)) {
        await endProviderSessionsOf(db, userId, which.sid, { userId, username, ...from });
      }
    },
    async list(db, userId) {
      const sessions = await store.readSessions(db, userId, Date.now());
      return sessions.map(({ id, createdAt, lastSeenAt, ...session }) => ({
        sessionId: id,
        username: session.username,
        since: new Date(createdAt).toISOString(),
        lastSeenAt: new Date(lastSeenAt).toISOString(),
        address: session.address,
        client: session.client,
      }));
    },
    async sweep(database) {
      const now = Date.now();
      const { sessions, failures, challenges } = await database.read(async (db) => ({
        sessions: await store.hasExpiredSessions(db, now),
        failures: await hasOldFailures(db, now),
        challenges: await hasExpiredChallenges(db, now),
      }));
      if (!sessions && !failures && !challenges) return;
      await database.write(async (db) => {
        for (const { id, userId, username } of await store.deleteExpiredSessions(db, now)) {
          const actor = { userId, username, address: null, call: 'session expired' };
          await recordSession(db, actor, userId, now, id, 'delete');
        }
        await deleteDevices(db, now - DEVICES_KEPT_FOR);
        await deleteOldFailures(db, now);
        await deleteExpiredChallenges(db, now);
      });
    },
  };
}

/** The users to whom a sign-out at the provider applies. */
async function usersOf(
  db: Transaction,
  { issuer, subject, sid }: ProviderSessions,
): Promise<User[]> {
  if (subject === undefined) {
    if (sid === undefined) return [];
    const ids = new Set(await store.readUsersOfProviderSession(db, issuer, sid));
    const found = await Promise.all([...ids].map((id) => findUserById(db, id)));
    return found.flatMap((stored) => (stored ? [stored.user] : []));
  }
  const userId = (await readIdentity(db, { issuer, subject }))?.userId;
  const found = userId ? await findUserById(db, userId) : undefined;
  return found ? [found.user] : [];
}
