import * as texts from '#messages/service/people.ts';
import type { Transaction } from '#server/database/database.ts';
import type {
  ChangeGroupBody,
  CreateGroupBody,
} from '#shared/contract/configuration-people-requests.ts';
import type { Group } from '#shared/contract/configuration-people.ts';
import { ApiError, EntryErrors } from '#shared/contract/errors.ts';
import { nameKey } from '#shared/rules/names.ts';
import {
  recordSystemHistory,
  recordUserChange,
  type Actor,
  type AuditState,
} from '../history/history.service.ts';
import { auditStateOfRights } from '../rights/audit-state.ts';
import { nameRights, resolveRights, type DefinedCollections } from '../rights/named-rights.ts';
import { readOwnRights, replaceRights } from '../rights/rights.service.ts';
import * as store from './groups.store.ts';
import type { StoredGroup } from './groups.store.ts';

export type { StoredGroup } from './groups.store.ts';
export { readMemberships } from './groups.store.ts';

/** All groups, in the order of their names. */
export async function listGroups(db: Transaction, defined: DefinedCollections): Promise<Group[]> {
  const groups = await store.readGroups(db);
  const rights = await readOwnRights(db, 'group', null);
  const members = Map.groupBy(await store.readMemberships(db, null), ({ groupId }) => groupId);
  return groups.map(({ id, name, label }) => ({
    name,
    label,
    rights: nameRights(defined, rights.get(id) ?? []),
    members: (members.get(id) ?? []).map(({ username }) => username),
  }));
}

/** @throws {ApiError} 404 */
export async function findGroup(db: Transaction, name: string): Promise<StoredGroup> {
  const group = await store.readGroup(db, name);
  if (!group) throw new ApiError('not_found', texts.noGroup({ name }));
  return group;
}

export async function presentGroup(
  db: Transaction,
  defined: DefinedCollections,
  { id, name, label }: StoredGroup,
): Promise<Group> {
  const rights = (await readOwnRights(db, 'group', [id])).get(id) ?? [];
  const members = await store.readMemberships(db, { group: id });
  return {
    name,
    label,
    rights: nameRights(defined, rights),
    members: members.map(({ username }) => username),
  };
}

/**
 * Creates a group.
 * @throws {ApiError} 422 for unknown members, archives, tables and fields; 409 if the name is taken; with all errors
 * together
 */
export async function createGroup(
  db: Transaction,
  defined: DefinedCollections,
  { name, label, rights, members }: CreateGroupBody['group'],
  actor: Actor,
): Promise<StoredGroup> {
  const errors = new EntryErrors();
  if (await store.readGroup(db, name)) {
    errors.add('conflict', 'name', texts.groupNameTaken({ name }));
  }
  const resolved = (await errors.collect(() => resolveRights(defined, rights ?? {}))) ?? [];
  await errors.collect(() => requireMembers(db, members ?? []));
  errors.throwIfAny(true);
  const group = { name, label: label ?? name };
  const id = await store.insertGroup(db, name, group.label);
  await replaceRights(db, { holder: 'group', id }, resolved);
  await recordGroupChange(db, actor, id, null, { ...group, ...auditStateOfRights(resolved) });
  if (members) await setMembers(db, id, members, actor);
  return { id, ...group };
}

/**
 * Replaces the named properties of a group.
 * @throws {ApiError} 422 for unknown members, archives, tables and fields, with all errors together
 */
export async function changeGroup(
  db: Transaction,
  defined: DefinedCollections,
  group: StoredGroup,
  { label, rights, members }: ChangeGroupBody['group'],
  actor: Actor,
): Promise<StoredGroup> {
  const { id, name } = group;
  const before = (await readOwnRights(db, 'group', [id])).get(id) ?? [];
  const errors = new EntryErrors();
  const after = await errors.collect(() => rights && resolveRights(defined, rights, before));
  await errors.collect(() => requireMembers(db, members ?? []));
  errors.throwIfAny(true);
  const resolved = after ?? before;
  const changed = { id, name, label: label ?? group.label };
  if (changed.label !== group.label) await store.updateLabel(db, id, changed.label);
  if (rights) await replaceRights(db, { holder: 'group', id }, resolved);
  await recordGroupChange(
    db,
    actor,
    id,
    auditStateOf(group, before),
    auditStateOf(changed, resolved),
  );
  if (members) await setMembers(db, id, members, actor);
  return changed;
}

/** Deletes a group. Its members lose its rights. */
export async function deleteGroup(
  db: Transaction,
  group: StoredGroup,
  actor: Actor,
): Promise<void> {
  const { id } = group;
  const rights = (await readOwnRights(db, 'group', [id])).get(id) ?? [];
  for (const { userId } of await store.readMemberships(db, { group: id })) {
    await setMembership(db, id, userId, false, actor);
  }
  await recordGroupChange(db, actor, id, auditStateOf(group, rights), null);
  await store.deleteGroupRow(db, id);
}

/**
 * Makes a user a member of exactly these groups.
 * @param names of the groups
 * @throws {ApiError} 422 under `groups`, naming those that do not exist
 */
export async function setGroupsOf(
  db: Transaction,
  userId: number,
  names: readonly string[],
  actor: Actor,
): Promise<void> {
  const wanted = await requireGroups(db, names);
  const before = await store.readMemberships(db, { users: [userId] });
  await changeMemberships(
    before.map(({ groupId }) => groupId),
    wanted,
    (groupId, isMember) => setMembership(db, groupId, userId, isMember, actor),
  );
}

/**
 * The ids of groups by their names.
 * @throws {ApiError} 422 under `groups`, naming those that do not exist
 */
export async function requireGroups(
  db: Transaction,
  names: readonly string[],
): Promise<Set<number>> {
  const groups = new Map(
    (await store.readGroups(db)).map((group) => [nameKey(group.name), group.id]),
  );
  const unknown = names.filter((name) => !groups.has(nameKey(name)));
  if (unknown.length > 0) {
    const messages = unknown.map((name) => texts.unknownGroup({ name }));
    throw new ApiError('validation_failed', { groups: messages });
  }
  return new Set(names.map((name) => groups.get(nameKey(name)) ?? 0));
}

/** Ends all memberships of a deleted user; the history then contains the user's last state. */
export async function endMemberships(db: Transaction, userId: number): Promise<void> {
  for (const { groupId } of await store.readMemberships(db, { users: [userId] })) {
    await store.deleteMember(db, groupId, userId);
  }
}

async function setMembers(
  db: Transaction,
  groupId: number,
  usernames: readonly string[],
  actor: Actor,
): Promise<void> {
  const wanted = await requireMembers(db, usernames);
  const before = await store.readMemberships(db, { group: groupId });
  await changeMemberships(
    before.map(({ userId }) => userId),
    wanted,
    (userId, isMember) => setMembership(db, groupId, userId, isMember, actor),
  );
}

/**
 * The ids of users by their names.
 * @throws {ApiError} 422 under `members`, naming those that do not exist
 */
async function requireMembers(db: Transaction, usernames: readonly string[]): Promise<Set<number>> {
  const ids = await store.readUserIds(db, usernames);
  const unknown = usernames.filter((username) => !ids.has(nameKey(username)));
  if (unknown.length > 0) {
    const messages = unknown.map((username) => texts.unknownMember({ username }));
    throw new ApiError('validation_failed', { members: messages });
  }
  return new Set(ids.values());
}

/** Calls `set` for each user or group, by its id, whose membership begins or ends. */
async function changeMemberships(
  before: readonly number[],
  wanted: ReadonlySet<number>,
  set: (id: number, isMember: boolean) => Promise<void>,
): Promise<void> {
  for (const id of before) if (!wanted.has(id)) await set(id, false);
  for (const id of wanted) if (!before.includes(id)) await set(id, true);
}

/** A membership belongs to the history of the user. */
async function setMembership(
  db: Transaction,
  groupId: number,
  userId: number,
  isMember: boolean,
  actor: Actor,
): Promise<void> {
  if (isMember) await store.insertMember(db, groupId, userId);
  else await store.deleteMember(db, groupId, userId);
  const name = membershipName(groupId);
  const [before, after] = isMember ? [null, true] : [true, null];
  const states = { before: { [name]: before }, after: { [name]: after } };
  await recordUserChange(db, actor, Date.now(), { userId, ...states });
}

/** The name of a membership in the history of a user. */
export function membershipName(groupId: number): string {
  return `group.${groupId}`;
}

/** The names of all groups by their ids. */
export async function readGroupNames(db: Transaction): Promise<Map<number, string>> {
  return new Map((await store.readGroups(db)).map(({ id, name }) => [id, name]));
}

/** The current state of each group as the history stores it, by id. */
export async function readGroupAuditStates(db: Transaction): Promise<Map<number, AuditState>> {
  const rights = await readOwnRights(db, 'group', null);
  const groups = await store.readGroups(db);
  return new Map(
    groups.map((group) => [group.id, auditStateOf(group, rights.get(group.id) ?? [])]),
  );
}

function auditStateOf(
  { name, label }: StoredGroup,
  rights: Parameters<typeof auditStateOfRights>[0],
): AuditState {
  return { name, label, ...auditStateOfRights(rights) };
}

function recordGroupChange(
  db: Transaction,
  actor: Actor,
  id: number,
  before: AuditState | null,
  after: AuditState | null,
): Promise<void> {
  const changed = before ? 'change' : 'create';
  return recordSystemHistory(db, actor, Date.now(), {
    scope: 'group',
    kind: after ? changed : 'delete',
    rowId: id,
    before,
    after,
  });
}
