import * as texts from '#messages/service/accounts.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Person } from '#shared/contract/answers.ts';
import type { Access, Role } from '#shared/rules/rights.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { recordSystemHistory, type Actor, type AuditState } from '../history/history.service.ts';
import { endSessionsOf } from './session-rows.service.ts';
import type { PasswordHash } from './passwords.service.ts';
import * as store from './users.store.ts';
import type { StoredRight, StoredUser } from './users.store.ts';

export type User = Omit<StoredUser, 'passwordHash'>;
export type { StoredRight } from './users.store.ts';

export interface NewUser {
  readonly username: string;
  readonly displayName: string;
  readonly role: Role;
  /** by `hashPassword`, before the transaction */
  readonly passwordHash: PasswordHash;
  readonly rights: readonly StoredRight[];
}

const MAX_USERNAME_LENGTH = 100;

/**
 * Adds a user.
 * @param actor the author, for the history
 * @throws {ApiError} 422 under `username` for an invalid name; 409 if another user has it
 */
export async function createUser(db: Transaction, user: NewUser, actor: Actor): Promise<User> {
  const { username } = user;
  if (username === '' || username.length > MAX_USERNAME_LENGTH || !isPlain(username)) {
    throw new ApiError('validation_failed', {
      username: [texts.usernameInvalid({ max: MAX_USERNAME_LENGTH })],
    });
  }
  if (await store.readUser(db, username)) {
    throw new ApiError('conflict', { username: [texts.usernameTaken({ username })] });
  }
  const passwordHash = user.passwordHash.phc;
  const at = Date.now();
  const id = await store.insertUser(db, { ...user, passwordHash }, at);
  await store.insertRights(db, id, user.rights);
  const { displayName, role } = user;
  const created = { id, username, displayName, role, disabled: false };
  await recordSystemHistory(db, actor, at, {
    scope: 'user',
    kind: 'create',
    collectionId: 0,
    rowId: id,
    before: null,
    after: { ...toldOf(created), ...auditStateOfRights(user.rights) },
  });
  return created;
}

/** By name, without regard to case. */
export async function findUser(db: Transaction, username: string): Promise<User | undefined> {
  const user = await store.readUser(db, username);
  return user && withoutHash(user);
}

/** A user with the password's hash. */
export function findCredentials(
  db: Transaction,
  username: string,
): Promise<StoredUser | undefined> {
  return store.readUser(db, username);
}

/** In the order of their names. */
export async function listUsers(db: Transaction): Promise<User[]> {
  return (await store.readUsers(db)).map(withoutHash);
}

/** The current state of each user as the history stores it, rights included; by id. */
export async function readUserAuditStates(db: Transaction): Promise<Map<number, AuditState>> {
  const rights = await store.readAllRights(db);
  const users = await store.readUsers(db);
  return new Map(
    users.map((user) => [
      user.id,
      { ...toldOf(user), ...auditStateOfRights(rights.filter(({ userId }) => userId === user.id)) },
    ]),
  );
}

/** Whether the installation has an active administrator. */
export const readRightsOf = store.readRightsOf;
export const hasActiveAdministrator = store.hasActiveAdministrator;

/**
 * Stores a new password and ends the user's sessions.
 * @param exceptSession the session that continues: that in which the user changed the password
 */
export async function setPassword(
  db: Transaction,
  userId: number,
  passwordHash: PasswordHash,
  exceptSession: string | null,
  actor: Actor,
): Promise<void> {
  const at = Date.now();
  await store.updateUser(db, userId, { password_hash: passwordHash.phc }, at);
  await endSessionsOf(db, userId, exceptSession);
  // The history must not contain the password.
  await recordChange(db, actor, at, userId, {}, { password: 'changed' });
}

/** Disables a user and ends the user's sessions. */
export async function disableUser(db: Transaction, userId: number, actor: Actor): Promise<void> {
  await change(db, userId, { disabled: 1 }, actor);
  await endSessionsOf(db, userId, null);
}

/** Lets a disabled user sign in again. */
export async function enableUser(db: Transaction, userId: number, actor: Actor): Promise<void> {
  await change(db, userId, { disabled: 0 }, actor);
}

/** Sets the role of a user. A change ends the user's sessions. */
export async function setRole(
  db: Transaction,
  user: User,
  role: Role,
  actor: Actor,
): Promise<void> {
  if (user.role === role) return;
  await change(db, user.id, { role }, actor);
  await endSessionsOf(db, user.id, null);
}

async function change(
  db: Transaction,
  userId: number,
  values: Parameters<typeof store.updateUser>[2],
  actor: Actor,
): Promise<void> {
  const before = toldOf(await store.readUserById(db, userId));
  const at = Date.now();
  await store.updateUser(db, userId, values, at);
  await recordChange(db, actor, at, userId, before, toldOf(await store.readUserById(db, userId)));
}

function recordChange(
  db: Transaction,
  actor: Actor,
  at: number,
  userId: number,
  before: AuditState,
  after: AuditState,
): Promise<void> {
  const subject = { scope: 'user', kind: 'change', collectionId: 0, rowId: userId } as const;
  return recordSystemHistory(db, actor, at, { ...subject, before, after });
}

/** The state of a user as the history stores it, without the rights. */
function toldOf({ username, displayName, role, disabled }: Omit<User, 'id'>): AuditState {
  return { username, displayName, role, disabled };
}

/** The rights by the id of the archive or table, which renaming does not change. */
function auditStateOfRights(rights: readonly StoredRight[]): AuditState {
  return Object.fromEntries(
    rights.map(({ kind, collectionId, access }) => [`right.${kind}.${collectionId}`, access]),
  );
}

/** The right of a user on one archive or table, regardless of the role. */
export function grantedAccess(
  db: Transaction,
  userId: number,
  kind: 'archive' | 'table',
  collectionId: number,
): Promise<Access | null> {
  return store.readRight(db, userId, kind, collectionId);
}

/** The users whose names the caller may know: those with a right on the caller's archives and tables. */
export function readPeople(
  db: Transaction,
  { userId, role }: { readonly userId: number; readonly role: Role },
): Promise<Person[]> {
  return store.readPeople(db, role === 'administrator' ? null : userId);
}

/** All rights given to a user, by the id of the archive or table. */
export function grantedByCollection(
  db: Transaction,
  userId: number,
  kind: 'archive' | 'table',
): Promise<Map<number, Access>> {
  return store.readRights(db, userId, kind);
}

function isPlain(username: string): boolean {
  return (
    username.isWellFormed() &&
    username.trim() === username &&
    // Clients would treat a path segment of dots as a directory.
    !/^\.{1,2}$/.test(username) &&
    !/[\u0000-\u001f\u007f]/.test(username)
  );
}

function withoutHash({ id, username, displayName, role, disabled }: StoredUser): User {
  return { id, username, displayName, role, disabled };
}
