import type { Db } from '#server/db/database.ts';
import type { Access, Role } from '#shared/rights.ts';
import { ApiError } from '#shared/errors.ts';
import { endSessionsOf } from '../sessions/session-rows.service.ts';
import type { PasswordHash } from './passwords.service.ts';
import * as store from './users.store.ts';
import type { StoredRight, StoredUser } from './users.store.ts';

export type User = Omit<StoredUser, 'passwordHash'>;
export type { StoredRight } from './users.store.ts';

export interface NewUser {
  readonly username: string;
  readonly displayName: string;
  readonly role: Role;
  /** made by `hashPassword` before the transaction */
  readonly passwordHash: PasswordHash;
  readonly rights: readonly StoredRight[];
}

const MAX_USERNAME_LENGTH = 100;

/**
 * Adds a user.
 * @throws {ApiError} 422 under `username` where no user can have that name; 409 where another one has it
 */
export async function createUser(db: Db, user: NewUser): Promise<User> {
  const { username } = user;
  if (username === '' || username.length > MAX_USERNAME_LENGTH || !isPlain(username)) {
    throw new ApiError('validation_failed', {
      username: [
        `A user name has 1 to ${MAX_USERNAME_LENGTH} characters, no control characters, and neither begins nor ends with a blank.`,
      ],
    });
  }
  if (await store.readUser(db, username)) {
    throw new ApiError('conflict', { username: [`There is already a user named ${username}.`] });
  }
  const passwordHash = user.passwordHash.phc;
  const id = await store.insertUser(db, { ...user, passwordHash }, Date.now());
  await store.insertRights(db, id, user.rights);
  return { id, username, displayName: user.displayName, role: user.role, disabled: false };
}

/** By name, without regard to case. */
export async function findUser(db: Db, username: string): Promise<User | undefined> {
  const user = await store.readUser(db, username);
  return user && withoutHash(user);
}

/** A user with the password's hash, for those who check it. */
export function findCredentials(db: Db, username: string): Promise<StoredUser | undefined> {
  return store.readUser(db, username);
}

/** In the order of their names. */
export async function listUsers(db: Db): Promise<User[]> {
  return (await store.readUsers(db)).map(withoutHash);
}

/** Whether anyone can administer the installation. */
export const hasActiveAdministrator = store.hasActiveAdministrator;

/**
 * Stores a new password and ends the user's sessions.
 * @param exceptSession the session that goes on: the one in which the user changed it
 */
export async function setPassword(
  db: Db,
  userId: number,
  passwordHash: PasswordHash,
  exceptSession: string | null,
): Promise<void> {
  await store.updateUser(db, userId, { password_hash: passwordHash.phc }, Date.now());
  await endSessionsOf(db, userId, exceptSession);
}

/** Disables a user, whose sessions end. */
export async function disableUser(db: Db, userId: number): Promise<void> {
  await store.updateUser(db, userId, { disabled: 1 }, Date.now());
  await endSessionsOf(db, userId, null);
}

/** Lets a disabled user sign in again. */
export async function enableUser(db: Db, userId: number): Promise<void> {
  await store.updateUser(db, userId, { disabled: 0 }, Date.now());
}

/** Gives a user another role; where it changes, the user's sessions end. */
export async function setRole(db: Db, user: User, role: Role): Promise<void> {
  if (user.role === role) return;
  await store.updateUser(db, user.id, { role }, Date.now());
  await endSessionsOf(db, user.id, null);
}

/** The right given to a user for one archive or table, whatever the user's role. */
export function grantedAccess(
  db: Db,
  userId: number,
  kind: 'archive' | 'table',
  thingId: number,
): Promise<Access | null> {
  return store.readRight(db, userId, kind, thingId);
}

/** All rights given to a user, by the id of the archive or table. */
export function grantedByThing(
  db: Db,
  userId: number,
  kind: 'archive' | 'table',
): Promise<Map<number, Access>> {
  return store.readRights(db, userId, kind);
}

function isPlain(username: string): boolean {
  return (
    username.isWellFormed() &&
    username.trim() === username &&
    // A path segment of dots alone would be taken for a directory by clients.
    !/^\.{1,2}$/.test(username) &&
    !/[\u0000-\u001f\u007f]/.test(username)
  );
}

function withoutHash({ id, username, displayName, role, disabled }: StoredUser): User {
  return { id, username, displayName, role, disabled };
}
