import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { integerAt, textAt } from '#server/database/row-values.ts';
import { ROLES, type Role } from '#shared/rules/rights.ts';

/** A session with its user. */
export interface StoredSession {
  readonly id: string;
  readonly userId: number;
  readonly username: string;
  readonly displayName: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}

const SESSION = {
  owner: readSession,
  name: '',
  build: () => sql`
    select sessions.id, sessions.user_id, sessions.created_at, sessions.last_seen_at, sessions.expires_at,
      users.username, users.display_name, users.role
    from sessions inner join users on users.id = sessions.user_id
    where sessions.token_hash = ${''} and sessions.expires_at > ${0} and users.disabled = 0`,
};

/** The valid session of a token, unless its user is disabled. */
export async function readSession(
  db: Transaction,
  tokenHash: string,
  now: number,
): Promise<StoredSession | undefined> {
  const [row] = await db.run(SESSION, [tokenHash, now]);
  const role = ROLES.find((known) => known === row?.[7]);
  return (
    row &&
    role && {
      id: textAt(row, 0),
      userId: integerAt(row, 1),
      createdAt: integerAt(row, 2),
      lastSeenAt: integerAt(row, 3),
      expiresAt: integerAt(row, 4),
      username: textAt(row, 5),
      displayName: textAt(row, 6),
      role,
    }
  );
}

export async function insertSession(
  db: Transaction,
  session: {
    readonly id: string;
    readonly tokenHash: string;
    readonly userId: number;
    readonly address: string;
    readonly createdAt: number;
    readonly expiresAt: number;
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
    })
    .execute();
}

/** Stores the browser in which a session began. */
export async function insertSessionDevice(
  db: Transaction,
  sessionId: string,
  deviceHash: string,
): Promise<void> {
  await db.k
    .insertInto('session_devices')
    .values({ session_id: sessionId, device_hash: deviceHash })
    .execute();
}

/** The sessions of all users in a browser. @param deviceHashes of its device cookies */
export async function readSessionsOfDevices(
  db: Transaction,
  deviceHashes: readonly string[],
): Promise<Pick<StoredSession, 'id' | 'userId' | 'username'>[]> {
  if (deviceHashes.length === 0) return [];
  return db.k
    .selectFrom('session_devices')
    .innerJoin('sessions', 'sessions.id', 'session_devices.session_id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.user_id as userId', 'users.username'])
    .where('session_devices.device_hash', 'in', deviceHashes)
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

/** @returns whether there was such a session of the user */
export async function deleteSession(db: Transaction, id: string, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db.k
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Deletes the least recently used sessions of the user.
 * @returns the ids of the deleted sessions
 */
export async function deleteSessionsBeyond(
  db: Transaction,
  userId: number,
  most: number,
): Promise<string[]> {
  const rows = await db.k
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const ids = rows.slice(most).map(({ id }) => id);
  for (const id of ids) await deleteSession(db, id, userId);
  return ids;
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

export async function deleteExpiredSessions(db: Transaction, now: number): Promise<void> {
  await db.k.deleteFrom('sessions').where('expires_at', '<=', now).execute();
}

/** Whether the user has signed in from this browser before. */
export async function isDeviceOf(
  db: Transaction,
  tokenHash: string,
  userId: number,
): Promise<boolean> {
  const row = await db.k
    .selectFrom('devices')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function rememberDevice(
  db: Transaction,
  tokenHash: string,
  userId: number,
  now: number,
): Promise<void> {
  await db.k
    .insertInto('devices')
    .values({ token_hash: tokenHash, user_id: userId, last_used_at: now })
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ last_used_at: now }))
    .execute();
}

export async function forgetDevices(db: Transaction, unusedSince: number): Promise<void> {
  await db.k.deleteFrom('devices').where('last_used_at', '<', unusedSince).execute();
}

export interface FailureCount {
  readonly failures: number;
  readonly lastAt: number;
}

export async function readFailures(
  db: Transaction,
  keys: readonly string[],
): Promise<Map<string, FailureCount>> {
  const rows = await db.k
    .selectFrom('sign_in_failures')
    .select(['key', 'failures', 'last_at'])
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.key, { failures: row.failures, lastAt: row.last_at }]));
}

export async function writeFailures(
  db: Transaction,
  key: string,
  failures: number,
  now: number,
): Promise<void> {
  await db.k
    .insertInto('sign_in_failures')
    .values({ key, failures, last_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ failures, last_at: now }))
    .execute();
}

export async function forgetFailures(db: Transaction, key: string): Promise<void> {
  await db.k.deleteFrom('sign_in_failures').where('key', '=', key).execute();
}

export async function hasOldFailures(db: Transaction, before: number): Promise<boolean> {
  const row = await db.k
    .selectFrom('sign_in_failures')
    .select('key')
    .where('last_at', '<', before)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function forgetOldFailures(db: Transaction, before: number): Promise<void> {
  await db.k.deleteFrom('sign_in_failures').where('last_at', '<', before).execute();
}
