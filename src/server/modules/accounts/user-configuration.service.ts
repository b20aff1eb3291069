import * as texts from '#messages/service/people.ts';
import { requireValid } from '#server/http/query.ts';
import type { Transaction } from '#server/database/database.ts';
import { contentEtag } from '#server/http/content-etag.ts';
import type { PathParams } from '#server/http/route.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { ConfiguredUser } from '#shared/contract/configuration-people.ts';
import type {
  ChangeUserBody,
  CreateUserBody,
} from '#shared/contract/configuration-people-requests.ts';
import { ApiError, EntryErrors } from '#shared/contract/errors.ts';
import { matchesTag } from '#shared/contract/etags.ts';
import type { Message } from '#shared/messages/message.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '#shared/rules/limits.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { QueryParameters } from '#shared/rules/query-reader.ts';
import { QueryReader } from '#shared/rules/query-reader.ts';
import { fold } from '#shared/values/fold.ts';
import { readUsersWithFactor } from '../factors/factors.service.ts';
import { readMemberships, requireGroups, setGroupsOf } from '../groups/groups.service.ts';
import type { Actor } from '../history/history.service.ts';
import { nameRights, resolveRights, type DefinedCollections } from '../rights/named-rights.ts';
import { readOwnRights, replaceRights } from '../rights/rights.service.ts';
import { readLinked } from './identities.service.ts';
import type { PasswordHash } from '../passwords/passwords.service.ts';
import {
  changeUser,
  createUser,
  findUser,
  listUsers,
  recordRights,
  type User,
} from './users.service.ts';

/**
 * A page of the users whose names and e-mail addresses contain every word of `q`, in the order of the usernames.
 * @throws {ApiError} 400 with all errors of the query
 */
export async function userPage(
  db: Transaction,
  defined: DefinedCollections,
  query: QueryParameters,
) {
  const reader = new QueryReader(query, ['q', 'after', 'limit']);
  const limit = reader.integer('limit', DEFAULT_LIMIT, 1, MAX_LIMIT);
  requireValid(reader);
  const words = fold(reader.text('q') ?? '')
    .split(/\s+/u)
    .filter(Boolean);
  const after = nameKey(reader.text('after') ?? '');
  const matching = (await listUsers(db)).filter(({ username, displayName, email }) => {
    const text = fold(`${username} ${displayName} ${email ?? ''}`);
    return words.every((word) => text.includes(word));
  });
  const rest = after === '' ? matching : matching.filter((user) => isAfter(user, after));
  const page = rest.slice(0, limit);
  const next = rest.length > limit ? (page.at(-1)?.username ?? null) : null;
  return {
    users: await presentUsers(db, defined, page),
    meta: { pagination: { total: matching.length, limit, next } },
  };
}

/** In database order: by code points. */
function isAfter({ username }: User, key: string): boolean {
  return Buffer.compare(Buffer.from(nameKey(username)), Buffer.from(key)) > 0;
}

/** Users as visible to administrators. */
async function presentUsers(
  db: Transaction,
  defined: DefinedCollections,
  users: readonly User[],
): Promise<ConfiguredUser[]> {
  const ids = users.map(({ id }) => id);
  const rights = await readOwnRights(db, 'user', ids);
  const memberships = await readMemberships(db, { users: ids });
  const groups = Map.groupBy(memberships, ({ userId }) => userId);
  const withFactor = await readUsersWithFactor(db, ids);
  const identities = new Map(
    (await readLinked(db, ids)).map((identity) => [identity.userId, identity]),
  );
  return users.map((user) => ({
    username: user.username,
    displayName: user.displayName,
    email: user.email,
    role: user.role,
    active: !user.disabled,
    groups: (groups.get(user.id) ?? []).map(({ groupName }) => groupName),
    rights: nameRights(defined, rights.get(user.id) ?? []),
    createdAt: isoTime(user.createdAt),
    lastSignInAt: isoTime(user.lastSignInAt),
    signInBy: identities.get(user.id)?.provider ?? 'password',
    secondFactor: withFactor.has(user.id),
  }));
}

export async function presentUser(
  db: Transaction,
  defined: DefinedCollections,
  user: User,
): Promise<ConfiguredUser> {
  const [presented] = await presentUsers(db, defined, [user]);
  if (!presented) throw new Error('A user is missing');
  return presented;
}

/** The entity tag of a user: signing in does not change it. */
export function userEtag({ lastSignInAt: _lastSignInAt, ...user }: ConfiguredUser): string {
  return contentEtag(user);
}

/** @throws {ApiError} 404 */
export async function requireUser(db: Transaction, username: string): Promise<User> {
  const user = await findUser(db, username);
  if (!user) throw new ApiError('not_found', texts.noUser({ username }));
  return user;
}

/** The user that the path names. @throws {ApiError} 404 */
export function userOf(db: Transaction, params: PathParams): Promise<User> {
  return requireUser(db, params['username'] ?? '');
}

/**
 * Creates a user from a request body.
 * @throws {ApiError} 422; 409 if the name is taken or belonged to another person; with all errors together
 */
export async function createConfiguredUser(
  db: Transaction,
  defined: DefinedCollections,
  { username, displayName, email, role, groups, rights }: CreateUserBody['user'],
  { passwordHash, problem, mustChangePassword }: NewPassword,
  actor: Actor,
): Promise<User> {
  const errors = new EntryErrors(problem ? { password: [problem] } : {});
  const resolved = await errors.collect(() => resolveRights(defined, rights ?? {}));
  const user = {
    username,
    displayName: displayName ?? username,
    email: email ?? null,
    role: role ?? 'clerk',
    passwordHash,
    mustChangePassword,
    rights: resolved ?? [],
  } as const;
  await errors.collect(() => requireGroups(db, groups ?? []));
  const created = await errors.collect(() => createUser(db, user, actor));
  errors.throwIfAny(true);
  if (!created) throw new Error('The user was not created, without an error.');
  if (groups) await setGroupsOf(db, created.id, groups, actor);
  return created;
}

interface NewPassword {
  readonly passwordHash: PasswordHash;
  /** why the password is not acceptable; null: it is */
  readonly problem: Message | null;
  /** whether it was generated */
  readonly mustChangePassword: boolean;
}

type ChangedUser = ChangeUserBody['user'] & { readonly ifMatch: string | null };

/**
 * Replaces the given properties of a user.
 * @param sessionId the session of the actor
 * @throws {ApiError} 412 with the current user; 422; 409 if no active administrator would be left; with all errors
 * together
 */
export async function changeConfiguredUser(
  db: Transaction,
  defined: DefinedCollections,
  user: User,
  { groups, rights, ifMatch, ...properties }: ChangedUser,
  actor: Actor & { readonly sessionId: string | null },
): Promise<void> {
  const errors = new EntryErrors();
  await errors.collect(() => requireMatch(db, defined, user, ifMatch));
  await errors.collect(async () => {
    if (!rights) return;
    const before = (await readOwnRights(db, 'user', [user.id])).get(user.id) ?? [];
    const after = resolveRights(defined, rights, before);
    await replaceRights(db, { holder: 'user', id: user.id }, after);
    await recordRights(db, user.id, before, after, actor);
  });
  await errors.collect(async () => {
    if (groups) await setGroupsOf(db, user.id, groups, actor);
  });
  await errors.collect(() => changeUser(db, user, properties, actor, actor.sessionId));
  errors.throwIfAny(true);
}

/** @throws {ApiError} 412 with the current user */
export async function requireMatch(
  db: Transaction,
  defined: DefinedCollections,
  user: User,
  ifMatch: string | null,
): Promise<void> {
  if (ifMatch === null) return;
  const current = await presentUser(db, defined, user);
  if (matchesTag(ifMatch, userEtag(current))) return;
  throw new ApiError('changed_meanwhile', texts.changedMeanwhile, { current });
}
