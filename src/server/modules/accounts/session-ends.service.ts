import * as texts from '#messages/service/accounts.ts';
import * as peopleTexts from '#messages/service/people.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import { deleteRowsBefore } from '#server/database/expired-rows.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Actor } from '../history/history.service.ts';
import { readIdentity } from './identities.service.ts';
import { endSessions, recordSession } from './stored-sessions.ts';
import * as store from './sessions.store.ts';
import { deleteOldFailures } from '../sign-in-throttle/sign-in-throttle.service.ts';
import { findUserById, type User } from './users.service.ts';

const DEVICE_RETENTION = 400 * 24 * 60 * 60_000;

/**
 * Ends one of the actor's own sessions.
 * @throws {ApiError} 404 if the user has no such session
 */
export async function endOwnSession(
  db: Transaction,
  sessionId: string,
  actor: Actor & { readonly userId: number },
): Promise<void> {
  if (!(await store.deleteSession(db, sessionId, actor.userId))) {
    throw new ApiError('not_found', texts.noSession);
  }
  await recordSession(db, actor, 'delete', { userId: actor.userId, sessionId });
}

/**
 * Ends a session of any user.
 * @throws {ApiError} 404 if there is no such session
 */
export async function endAnySession(
  db: Transaction,
  sessionId: string,
  actor: Actor,
): Promise<void> {
  const userId = await store.readOwner(db, sessionId);
  if (userId === undefined || !(await store.deleteSession(db, sessionId, userId))) {
    throw new ApiError('not_found', peopleTexts.noSession);
  }
  await recordSession(db, actor, 'delete', { userId, sessionId });
}

/** The sessions of a provider's sign-ins. */
interface ProviderSessions {
  readonly issuer: string;
  /** undefined: the owner of the session `sid` */
  readonly subject: string | undefined;
  /** the session at the provider; undefined: all of the subject */
  readonly sid: string | undefined;
}

/** Ends sessions of sign-ins at the provider, at its request. */
export async function endProviderSessions(
  db: Transaction,
  which: ProviderSessions,
  from: { readonly address: string; readonly call: string },
): Promise<void> {
  for (const { id: userId, username } of await usersOf(db, which)) {
    const ended = { providerSid: which.sid ?? null };
    await endSessions(db, userId, ended, { userId, username, ...from });
  }
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

/** Removes expired sessions and their locks, and what else of sign-ins is over. */
export async function sweepSessions(database: Database): Promise<void> {
  const now = Date.now();
  if (await database.read((db) => store.hasExpiredSessions(db, now))) {
    await database.write(async (db) => {
      for (const { id, userId, username } of await store.deleteExpiredSessions(db, now)) {
        const actor = { userId, username, address: null, call: 'session expired' };
        await recordSession(db, actor, 'delete', { userId, sessionId: id, at: now });
      }
    });
  }
  await deleteOldFailures(database);
  await deleteRowsBefore(database, 'used_challenges', now);
  await deleteRowsBefore(database, 'devices', now - DEVICE_RETENTION);
}
