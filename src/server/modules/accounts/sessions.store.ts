import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { SignedIn } from '#server/http/http-services.ts';
import { integerAt, textAt } from '#server/database/row-values.ts';
import { ROLES } from '#shared/rules/rights.ts';

/**
 * A session with its user; if it views the service as another user, that user, and with another `publicId`, so that pages
 * that were opened before cannot write in it.
 */
export interface StoredSession extends Omit<SignedIn, 'secondFactorEnrolmentRequired' | 'scope'> {
  readonly displayName: string;
  /** whether a provider has signed in the user, or the administrator behind the session */
  readonly isByProvider: boolean;
  readonly expiresAt: number;
}

const SESSION = {
  owner: readSession,
  name: '',
  build: () => sql`
    select sessions.id, sessions.user_id, sessions.created_at, sessions.last_seen_at, sessions.expires_at,
      users.username, users.display_name, users.role,
      case when sessions.provider_sid is null then users.must_change_password else 0 end,
      viewed.id, viewed.username, viewed.display_name, viewed.role, viewed.disabled,
      case when sessions.provider_sid is null then 0 else 1 end
    from sessions inner join users on users.id = sessions.user_id
      left join session_views on session_views.session_id = sessions.id
      left join users as viewed on viewed.id = session_views.user_id
    where sessions.token_hash = ${''} and sessions.expires_at > ${0} and users.disabled = 0`,
};

/** The valid session of a token, unless its user is disabled. */
export async function readSession(
  db: Transaction,
  tokenHash: string,
  now: number,
): Promise<StoredSession | undefined> {
  const [row] = await db.run(SESSION, [tokenHash, now]);
  if (!row) return undefined;
  const id = textAt(row, 0);
  const owner = { userId: integerAt(row, 1), username: textAt(row, 5) };
  const isView = row[9] !== null;
  const role = ROLES.find((known) => known === row[isView ? 12 : 7]);
  if (!role) return undefined;
  return {
    id,
    createdAt: integerAt(row, 2),
    lastSeenAt: integerAt(row, 3),
    expiresAt: integerAt(row, 4),
    isByProvider: integerAt(row, 14) !== 0,
    role,
    ...(isView
      ? {
          userId: integerAt(row, 9),
          username: textAt(row, 10),
          displayName: textAt(row, 11),
          passwordChangeRequired: false,
          viewer: { ...owner, isViewOver: integerAt(row, 13) !== 0 },
          publicId: `${id}.${integerAt(row, 9)}`,
        }
      : {
          ...owner,
          displayName: textAt(row, 6),
          passwordChangeRequired: integerAt(row, 8) !== 0,
          viewer: null,
          publicId: id,
        }),
  };
}

/** Lets a session view the service as another user. */
export async function insertSessionView(
  db: Transaction,
  sessionId: string,
  userId: number,
  startedAt: number,
): Promise<void> {
  await db.k
    .insertInto('session_views')
    .values({ session_id: sessionId, user_id: userId, started_at: startedAt })
    .execute();
}

export async function deleteSessionView(db: Transaction, sessionId: string): Promise<void> {
  await db.k.deleteFrom('session_views').where('session_id', '=', sessionId).execute();
}

/** The valid sessions of a user, or of all (null), the last used first. */
export async function readSessions(db: Transaction, userId: number | null, now: number) {
  let query = db.k
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'users.username',
      'sessions.created_at as createdAt',
      'sessions.last_seen_at as lastSeenAt',
      'sessions.address',
      'sessions.client',
    ])
    .where('sessions.expires_at', '>', now)
    .where('users.disabled', '=', 0)
    .orderBy('sessions.last_seen_at', 'desc')
    .orderBy('sessions.id');
  if (userId !== null) query = query.where('sessions.user_id', '=', userId);
  return query.execute();
}

/** The id of the user of a session. */
export async function readOwner(db: Transaction, sessionId: string): Promise<number | undefined> {
  const row = await db.k
    .selectFrom('sessions')
    .select('user_id')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row?.user_id;
}

export async function insertSession(
  db: Transaction,
  session: Pick<StoredSession, 'id' | 'userId' | 'createdAt' | 'expiresAt'> & {
    readonly tokenHash: string;
    readonly address: string;
    readonly client: string | null;
    readonly providerSid: string | null;
  },
): Promise<void> {
  await db.k
    .insertInto('sessions')
    .values({
      id: session.id,
      token_hash: session.tokenHash,
      user_id: session.userId,
      created_at: session.createdAt,
      last_seen_at: session.createdAt,
      expires_at: session.expiresAt,
      address: session.address,
      client: session.client,
      // The service does not know which proofs the provider requested.
      confirmed_at: session.providerSid === null ? session.createdAt : 0,
      provider_sid: session.providerSid,
    })
    .execute();
}

/**
 * How and when the user of a session last proved their identity: by the sign-in, and to this service (0: never), in
 * milliseconds since 1970 UTC; undefined: a token, or a session that has ended.
 */
export async function readProof(db: Transaction, sessionId: string) {
  const row = await db.k
    .selectFrom('sessions')
    .select([
      'created_at as createdAt',
      'confirmed_at as confirmedAt',
      'provider_sid as providerSid',
    ])
    .where('id', '=', sessionId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { createdAt, confirmedAt, providerSid } = row;
  return { createdAt, confirmedAt: confirmedAt ?? 0, isByProvider: providerSid !== null };
}

export async function updateConfirmedAt(
  db: Transaction,
  sessionId: string,
  confirmedAt: number,
): Promise<void> {
  await db.k
    .updateTable('sessions')
    .set({ confirmed_at: confirmedAt })
    .where('id', '=', sessionId)
    .execute();
}

/** Whether the user has a session that began at the address. */
export async function hasSessionFrom(
  db: Transaction,
  userId: number,
  address: string,
): Promise<boolean> {
  const row = await db.k
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function extendSession(
  db: Transaction,
  id: string,
  lastSeenAt: number,
  expiresAt: number,
): Promise<void> {
  await db.k
    .updateTable('sessions')
    .set({ last_seen_at: lastSeenAt, expires_at: expiresAt })
    .where('id', '=', id)
    .where('last_seen_at', '<', lastSeenAt)
    .execute();
}

/** The ids of users who are linked with an account at a provider and have a session of this provider session. */
export async function readUsersOfProviderSession(
  db: Transaction,
  issuer: string,
  sid: string,
): Promise<number[]> {
  const rows = await db.k
    .selectFrom('sessions')
    .innerJoin('user_identities', 'user_identities.user_id', 'sessions.user_id')
    .select('sessions.user_id as userId')
    .where('provider_sid', '=', sid)
    .where('issuer', '=', issuer)
    .execute();
  return rows.map(({ userId }) => userId);
}

/** @returns whether there was such a session of the user */
export async function deleteSession(db: Transaction, id: string, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db.k
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** When the sessions of a user were last used. */
export async function readUses(db: Transaction, userId: number) {
  return db.k
    .selectFrom('sessions')
    .select(['id', 'last_seen_at as usedAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

export async function hasExpiredSessions(db: Transaction, now: number): Promise<boolean> {
  const row = await db.k
    .selectFrom('sessions')
    .select('id')
    .where('expires_at', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns the deleted sessions */
export async function deleteExpiredSessions(
  db: Transaction,
  now: number,
): Promise<Pick<StoredSession, 'id' | 'userId' | 'username'>[]> {
  const expired = await db.k
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.user_id as userId', 'users.username'])
    .where('expires_at', '<=', now)
    .orderBy('sessions.id')
    .execute();
  await db.k.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  return expired;
}
