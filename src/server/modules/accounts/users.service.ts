import { createHmac } from 'node:crypto';
import * as texts from '#messages/service/accounts.ts';
import * as peopleTexts from '#messages/service/people.ts';
import type { Transaction } from '#server/database/database.ts';
import {
  deriveKeys,
  readInstallationSecrets,
  type Secrets,
} from '#server/database/installation-secret.ts';
import type { Person } from '#shared/contract/answers.ts';
import type { Role } from '#shared/rules/rights.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { deleteFactors, readFactorAuditStates, removeFactors } from '../factors/factors.service.ts';
import { endMemberships, membershipName, readMemberships } from '../groups/groups.service.ts';
import {
  recordSystemHistory,
  recordUserChange,
  type Actor,
  type AuditState,
} from '../history/history.service.ts';
import { auditStateOfRights } from '../rights/audit-state.ts';
import {
  readOwnRights,
  replaceRights,
  type RightsSubject,
  type StoredRight,
} from '../rights/rights.service.ts';
import { revokeTokens } from './stored-access-tokens.ts';
import { endSessions } from './stored-sessions.ts';
import { auditStateOfIdentity, readLinked, releaseIdentity } from './identities.service.ts';
import type { PasswordHash } from '../passwords/passwords.service.ts';
import * as store from './users.store.ts';
import type { StoredUser } from './users.store.ts';

export type User = Omit<StoredUser, 'passwordHash'>;

export interface NewUser
  extends
    Pick<StoredUser, 'username' | 'displayName' | 'role'>,
    Partial<Pick<StoredUser, 'email' | 'mustChangePassword'>> {
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
  if (await store.isReservedName(db, username)) {
    throw new ApiError('conflict', { username: [peopleTexts.usernameReserved({ username })] });
  }
  const { displayName, role, email = null, mustChangePassword = false } = user;
  const at = Date.now();
  const added = { username, displayName, role, email, mustChangePassword };
  const id = await store.insertUser(db, { ...added, passwordHash: user.passwordHash.phc }, at);
  await replaceRights(db, { holder: 'user', id }, user.rights);
  const created = {
    id,
    ...added,
    disabled: false,
    createdAt: at,
    lastSignInAt: null,
    passwordSetAt: at,
  };
  await recordSystemHistory(db, actor, at, {
    scope: 'user',
    kind: 'create',
    rowId: id,
    before: null,
    after: { ...auditStateOf(created), ...auditStateOfRights(user.rights) },
  });
  return created;
}

/** By name, ignoring case. */
export async function findUser(db: Transaction, username: string): Promise<User | undefined> {
  const user = await store.readUser(db, username);
  return user && withoutHash(user);
}

/** A user who is not deleted, with the password's hash. */
export async function findUserById(
  db: Transaction,
  id: number,
): Promise<{ readonly user: User; readonly passwordHash: string } | undefined> {
  const stored = await store.readUserById(db, id);
  return stored && { user: withoutHash(stored), passwordHash: stored.passwordHash };
}

/** In the order of their names. */
export async function listUsers(db: Transaction): Promise<User[]> {
  return (await store.readUsers(db)).map(withoutHash);
}

/**
 * The current state of each user as stored in the history, with rights, groups and factors; by id. Deleted ones have
 * none.
 */
export async function readUserAuditStates(db: Transaction): Promise<Map<number, AuditState>> {
  const rights = await readOwnRights(db, 'user', null);
  const groups = Map.groupBy(await readMemberships(db, null), ({ userId }) => userId);
  const factors = await readFactorAuditStates(db);
  const identities = new Map(
    (await readLinked(db, null)).map((identity) => [identity.userId, identity]),
  );
  const users = await store.readUsers(db);
  const deleted = await store.readDeletedIds(db);
  return new Map([
    ...deleted.map((id): [number, AuditState] => [id, {}]),
    ...users.map((user): [number, AuditState] => [
      user.id,
      {
        ...auditStateOf(user),
        ...auditStateOfRights(rights.get(user.id) ?? []),
        ...auditStateOfGroups(groups.get(user.id) ?? []),
        ...factors.get(user.id),
        ...auditStateOfIdentity(identities.get(user.id)),
      },
    ]),
  ]);
}

function auditStateOfGroups(memberships: readonly { readonly groupId: number }[]): AuditState {
  return Object.fromEntries(memberships.map(({ groupId }) => [membershipName(groupId), true]));
}

export {
  hasActiveAdministrator,
  isReservedName,
  /** with the password's hash */
  readUser as findCredentials,
  updateLastSignIn,
} from './users.store.ts';

interface NewPassword {
  /** by `hashPassword`, before the transaction */
  readonly passwordHash: PasswordHash;
  /**
   * the session that continues: that in which the user changed the password; null: the password is reset, which ends the
   * tokens, too
   */
  readonly exceptSession: string | null;
  /** whether it was generated, so that the user must choose another one first */
  readonly mustChangePassword?: boolean;
}

/** Stores a new password and ends the user's sessions. */
export async function setPassword(
  db: Transaction,
  userId: number,
  { passwordHash, exceptSession, mustChangePassword = false }: NewPassword,
  actor: Actor,
): Promise<void> {
  const at = Date.now();
  const values = {
    password_hash: passwordHash.phc,
    must_change_password: mustChangePassword ? 1 : 0,
    password_set_at: at,
  };
  await store.updateUser(db, userId, values, at);
  await endSessions(db, userId, { except: exceptSession }, actor);
  if (exceptSession === null) await revokeTokens(db, userId, actor);
  // The history must not contain the password.
  await recordUserChange(db, actor, at, { userId, before: {}, after: { password: 'changed' } });
}

/**
 * Removes the second factors of a user who has lost them, and ends the user's sessions, because a lost device may have
 * one.
 * @param exceptSession the session of the actor, which continues
 */
export async function resetFactors(
  db: Transaction,
  userId: number,
  actor: Actor,
  exceptSession: string | null = null,
): Promise<void> {
  await removeFactors(db, userId, null, actor);
  await endSessions(db, userId, { except: exceptSession }, actor);
}

/** The changes of a user; missing properties stay. */
interface UserChange {
  readonly displayName?: string | undefined;
  readonly email?: string | null | undefined;
  readonly role?: Role | undefined;
  readonly active?: boolean | undefined;
}

/**
 * Changes a user. A changed role and disabling end the user's sessions, disabling the tokens, too.
 * @param exceptSession the session of the actor, which continues
 * @throws {ApiError} 409 if no active administrator would be left
 */
export async function changeUser(
  db: Transaction,
  user: User,
  { displayName, email, role, active }: UserChange,
  actor: Actor,
  exceptSession: string | null = null,
): Promise<void> {
  const changed = {
    ...user,
    displayName: displayName ?? user.displayName,
    email: email === undefined ? user.email : email,
    role: role ?? user.role,
    disabled: active === undefined ? user.disabled : !active,
  };
  if (changed.disabled || changed.role !== 'administrator')
    await requireOtherAdministrator(db, user);
  const at = Date.now();
  const values = {
    display_name: changed.displayName,
    email: changed.email,
    role: changed.role,
    disabled: changed.disabled ? 1 : 0,
  };
  await store.updateUser(db, user.id, values, at);
  const states = { before: auditStateOf(user), after: auditStateOf(changed) };
  await recordUserChange(db, actor, at, { userId: user.id, ...states });
  if (changed.role !== user.role || (changed.disabled && !user.disabled)) {
    const except = changed.disabled ? null : exceptSession;
    await endSessions(db, user.id, { except }, actor);
  }
  if (changed.disabled) await revokeTokens(db, user.id, actor);
}

/**
 * Deletes a user. The history keeps the name, which is never reused for another person.
 * @throws {ApiError} 409 if no active administrator would be left
 */
export async function deleteUser(db: Transaction, user: User, actor: Actor): Promise<void> {
  await requireOtherAdministrator(db, user);
  const before = (await readUserAuditStates(db)).get(user.id) ?? {};
  const at = Date.now();
  await endSessions(db, user.id, {}, actor);
  await revokeTokens(db, user.id, actor);
  await replaceRights(db, { holder: 'user', id: user.id }, []);
  await endMemberships(db, user.id);
  await deleteFactors(db, user.id);
  await releaseIdentity(db, user.id);
  const withoutAccess = { disabled: 1, password_hash: '', email: null, deleted_at: at };
  await store.updateUser(db, user.id, withoutAccess, at);
  const subject = { scope: 'user', kind: 'delete', rowId: user.id } as const;
  await recordSystemHistory(db, actor, at, { ...subject, before, after: null });
}

/** Adds a change of a user's own rights to the history. */
export function recordRights(
  db: Transaction,
  userId: number,
  before: readonly StoredRight[],
  after: readonly StoredRight[],
  actor: Actor,
): Promise<void> {
  const states = { before: auditStateOfRights(before), after: auditStateOfRights(after) };
  return recordUserChange(db, actor, Date.now(), { userId, ...states });
}

/** @throws {ApiError} 409 for the only active administrator */
async function requireOtherAdministrator(
  db: Transaction,
  { id, role, disabled }: User,
): Promise<void> {
  if (role !== 'administrator' || disabled) return;
  if (await store.hasActiveAdministrator(db, id)) return;
  throw new ApiError('conflict', peopleTexts.lastAdministrator);
}

/** The state of a user as the history stores it, without rights and groups. */
function auditStateOf({
  username,
  displayName,
  role,
  disabled,
  email,
}: Pick<User, 'username' | 'displayName' | 'role' | 'disabled' | 'email'>): AuditState {
  return { username, displayName, role, disabled, email };
}

/** The users whose names the caller may know: those with a right on the caller's archives and tables. */
export function readVisiblePeople(
  db: Transaction,
  { userId, role, scope }: RightsSubject,
): Promise<Person[]> {
  return store.readPeople(db, role === 'administrator' ? null : userId, scope?.only ?? null);
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

function withoutHash({ passwordHash: _passwordHash, ...user }: StoredUser): User {
  return user;
}

/**
 * The keys with which browsers encrypt a user's unsaved input, the newest first, as Base64 of 32 bytes (AES-256). They
 * are different for each user, and stay the same as long as the installation has its secrets, in copies and backups
 * too.
 */
export async function readStorageKeys(db: Transaction, userId: number): Promise<Secrets<string>> {
  return deriveKeys(await readInstallationSecrets(db), (secret) =>
    createHmac('sha256', secret).update(`storage key of user ${userId}`).digest('base64'),
  );
}
