import type { Transaction } from '#server/database/database.ts';
import type { StoredSession } from './sessions.store.ts';

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

export async function storeDevice(
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
