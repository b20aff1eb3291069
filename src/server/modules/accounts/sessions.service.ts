import type { Database, Transaction } from '#server/database/database.ts';
import type { SignedIn } from '#server/http/http-services.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { Session } from '#shared/contract/answers.ts';
import type { OpenSession } from '#shared/contract/configuration-people.ts';
import { isFactorRequired, type SecondFactorPolicy } from '#shared/rules/second-factor.ts';
import type { Refusals } from '../history/refusals.ts';
import { hasFactor } from '../factors/factors.service.ts';
import type { FactorProofs } from '../factors/proofs.ts';
import type { PasswordChecks } from './password-checks.service.ts';
import type { User } from './users.service.ts';
import { beginSession, type SignInRequest } from './begin-session.ts';
import * as store from './sessions.store.ts';
import type { StoredSession } from './sessions.store.ts';
import { openSignIn, type SignIn, type SignInBy } from './sign-in.service.ts';
import { hashToken } from './tokens.ts';
import { KeyedMutex } from '#server/lib/keyed-mutex.ts';

/** A session, and the restrictions of its user. */
type ValidSession = StoredSession & SignedIn;

/** The data that determine whether the use of a session is stored. */
type Use = Pick<StoredSession, 'id' | 'createdAt' | 'lastSeenAt'>;

/** How long sessions last (docs/interface/decisions.md, section 2), in milliseconds, and how they end. */
interface SessionSettings {
  readonly idle: number;
  readonly life: number;
  /** whether signing out of a session that began at the provider also signs out there */
  readonly providerSignOut: boolean;
}

/** How often the last use of a session is stored. */
const USE_RECORDING_INTERVAL = 60_000;

export interface Sessions {
  /** The valid session of a cookie's token, unless its user is disabled. */
  find(db: Transaction, token: string): Promise<ValidSession | undefined>;
  present(session: ValidSession): Session;
  /** Extends a used session, unless that was stored recently; called after the response. */
  recordUse(database: Database, session: Use): Promise<void>;
  /**
   * @throws {ApiError} `invalid_credentials`, the same for an unknown user, a wrong password and a disabled user;
   * `forbidden` if passwords are disabled; `second_factor_required` with the second step; `too_many_requests`;
   * `unavailable` if too many sign in, or the client has left
   */
  readonly signIn: SignInBy;
  /** Begins a session of a user whose identity the caller has proven in this transaction: see `beginSession`. */
  begin(db: Transaction, user: User, request: SignInRequest): Promise<SignIn>;
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
  const seenEvery = Math.min(USE_RECORDING_INTERVAL, idle / 10);
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
    expiresAt: isoTime(isDue(session) ? endOf(session.createdAt, Date.now()) : session.expiresAt),
    ...(session.passwordChangeRequired ? { passwordChangeRequired: true } : {}),
    ...(session.secondFactorEnrolmentRequired ? { secondFactorEnrolmentRequired: true } : {}),
    ...(providerSignOut && session.isByProvider ? { providerSignOut: true } : {}),
  });

  const withPolicy = async (db: Transaction, session: StoredSession): Promise<ValidSession> => ({
    ...session,
    scope: null,
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
    async recordUse(database, session) {
      if (!isDue(session)) return;
      await mutex.once(session.id, async () => {
        const now = Date.now();
        await database.write((db) =>
          store.extendSession(db, session.id, now, endOf(session.createdAt, now)),
        );
      });
    },
    signIn,
  };
}

/** The valid sessions, the last used first. @param userId only this user's; null: everybody's */
export async function listSessions(db: Transaction, userId: number | null): Promise<OpenSession[]> {
  const sessions = await store.readSessions(db, userId, Date.now());
  return sessions.map(({ id, createdAt, lastSeenAt, ...session }) => ({
    sessionId: id,
    username: session.username,
    since: isoTime(createdAt),
    lastSeenAt: isoTime(lastSeenAt),
    address: session.address,
    client: session.client,
  }));
}
