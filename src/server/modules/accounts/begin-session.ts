import { randomUUID } from 'node:crypto';
import type { Transaction } from '#server/database/database.ts';
import type { Client } from '#server/http/route.ts';
import { sessionCookieName } from '#server/http/session.ts';
import { deviceCookieName, deviceTokens } from './sign-in-cookies.ts';
import { recordSession } from './stored-sessions.ts';
import * as devices from './devices.store.ts';
import * as store from './sessions.store.ts';
import type { StoredSession } from './sessions.store.ts';
import { excessSignIns } from './sign-in-limit.ts';
import { hashToken, newToken } from './tokens.ts';
import { updateLastSignIn, type User } from './users.service.ts';

/** The request that signs in. */
export interface SignInRequest {
  readonly client: Client;
  /** method and route as in the history */
  readonly call: string;
  /** the provider's session that has signed in the user, '' if it names none; undefined: another kind of sign-in */
  readonly providerSid?: string;
}

/**
 * Begins a session of a user whose identity is proven, and ends the previous session of the browser. Every kind of
 * sign-in ends here: the caller has proven the identity, and that the user is not disabled, in the same transaction.
 * @param endOf returns the end of a session that began at a time, in milliseconds since 1970 UTC
 * @returns also the token for the session's cookie, and that for a cookie that identifies the browser from now on; null:
 * a known browser, or a program
 */
export async function beginSession(
  db: Transaction,
  user: User,
  { client, call, providerSid }: SignInRequest,
  endOf: (createdAt: number) => number,
) {
  const { address } = client;
  const createdAt = Date.now();
  const token = newToken();
  const knownDevice = await knownDeviceOf(db, user.id, client);
  const deviceToken = client.isBrowser && !knownDevice ? newToken() : null;
  const device = deviceToken === null ? knownDevice : hashToken(deviceToken);
  const id = randomUUID();
  const session: StoredSession = {
    id,
    publicId: id,
    viewer: null,
    isByProvider: providerSid !== undefined,
    userId: user.id,
    username: user.username,
    displayName: user.displayName,
    role: user.role,
    // A provider's users do not sign in with a password.
    passwordChangeRequired: user.mustChangePassword && providerSid === undefined,
    createdAt,
    lastSeenAt: createdAt,
    expiresAt: endOf(createdAt),
  };
  await store.insertSession(db, {
    ...session,
    tokenHash: hashToken(token),
    address,
    client: client.userAgent,
    providerSid: providerSid ?? null,
  });
  const actor = { userId: user.id, username: user.username, address, call };
  await recordSession(db, actor, 'create', { userId: user.id, sessionId: id, at: createdAt });
  await updateLastSignIn(db, user.id, createdAt);
  await endReplacedSessions(db, client, call, createdAt);
  for (const ended of excessSignIns(await store.readUses(db, user.id))) {
    await store.deleteSession(db, ended.id, user.id);
    await recordSession(db, actor, 'delete', {
      userId: user.id,
      sessionId: ended.id,
      at: createdAt,
    });
  }
  if (device) {
    await devices.storeDevice(db, device, user.id, createdAt);
    await devices.insertSessionDevice(db, session.id, device);
  }
  return { session, token, deviceToken };
}

/** The stored form of the browser's device cookie, if the user has signed in from it before. */
export async function knownDeviceOf(
  db: Transaction,
  userId: number,
  client: Client,
): Promise<string | undefined> {
  const token = client.cookies.get(deviceCookieName(userId, client));
  if (!token) return undefined;
  const hash = hashToken(token);
  return (await devices.isDeviceOf(db, hash, userId)) ? hash : undefined;
}

/**
 * Ends the browser's previous session, of any user: a browser has one session. Its cookie is replaced; if the cookie is
 * lost, as after the browser was closed, the device cookies identify the session.
 */
async function endReplacedSessions(
  db: Transaction,
  client: Client,
  call: string,
  now: number,
): Promise<void> {
  const token = client.cookies.get(sessionCookieName(client));
  const found = token ? await store.readSession(db, hashToken(token), now) : undefined;
  // A session that views the service as another user belongs to its administrator.
  const session = found && { id: found.id, ...(found.viewer ?? found) };
  const hashes = deviceTokens(client).map(hashToken);
  const sessions = await devices.readSessionsOfDevices(db, hashes);
  for (const { id, userId, username } of session ? [session, ...sessions] : sessions) {
    if (!(await store.deleteSession(db, id, userId))) continue;
    const actor = { userId, username, address: client.address, call };
    await recordSession(db, actor, 'delete', { userId, sessionId: id, at: now });
  }
}
