import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { chunks, READ_CHUNK_SIZES } from '#server/database/records/bulk-statements.ts';
import { nameKey } from '#shared/rules/names.ts';

export interface StoredGroup {
  readonly id: number;
  readonly name: string;
  readonly label: string;
}

const COLUMNS = ['id', 'name', 'label'] as const;

/** In the order of their names. */
export function readGroups(db: Transaction): Promise<StoredGroup[]> {
  return db.k.selectFrom('user_groups').select(COLUMNS).orderBy('name_key').execute();
}

export function readGroup(db: Transaction, name: string): Promise<StoredGroup | undefined> {
  return db.k
    .selectFrom('user_groups')
    .select(COLUMNS)
    .where('name_key', '=', nameKey(name))
    .executeTakeFirst();
}

export async function insertGroup(db: Transaction, name: string, label: string): Promise<number> {
  const { id } = await db.k
    .insertInto('user_groups')
    .values({ name, name_key: nameKey(name), label })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateLabel(db: Transaction, id: number, label: string): Promise<void> {
  await db.k.updateTable('user_groups').set({ label }).where('id', '=', id).execute();
}

/** Its rights and memberships go with it. */
export async function deleteGroupRow(db: Transaction, id: number): Promise<void> {
  await db.k.deleteFrom('user_groups').where('id', '=', id).execute();
}

/** Memberships with the names of both, in the order of the usernames, then of the groups' names. @param of null: all */
export async function readMemberships(
  db: Transaction,
  of: { readonly users: readonly number[] } | { readonly group: number } | null,
) {
  const all = db.k
    .selectFrom('group_members')
    .innerJoin('user_groups', 'user_groups.id', 'group_members.group_id')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .select([
      'group_members.group_id as groupId',
      'user_groups.name as groupName',
      'group_members.user_id as userId',
      'users.username',
    ])
    .orderBy('users.username_key')
    .orderBy('user_groups.name_key');
  if (of === null) return all.execute();
  if ('group' in of) return all.where('group_members.group_id', '=', of.group).execute();
  return all.where(sql<boolean>`group_members.user_id ${db.adapter.isAmong(of.users)}`).execute();
}

export async function insertMember(
  db: Transaction,
  groupId: number,
  userId: number,
): Promise<void> {
  await db.k
    .insertInto('group_members')
    .values({ group_id: groupId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteMember(
  db: Transaction,
  groupId: number,
  userId: number,
): Promise<void> {
  await db.k
    .deleteFrom('group_members')
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .execute();
}

/** The ids of users who are not deleted, by their names in lower case. */
export async function readUserIds(
  db: Transaction,
  usernames: readonly string[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  // PostgreSQL's text cannot contain NUL, so no user has it.
  const keys = usernames.map(nameKey).filter((key) => !key.includes('\u0000'));
  for (const chunk of chunks(keys, READ_CHUNK_SIZES)) {
    const rows = await db.k
      .selectFrom('users')
      .select(['id', 'username_key'])
      .where('username_key', 'in', [...chunk])
      .where('deleted_at', 'is', null)
      .execute();
    for (const { id, username_key } of rows) ids.set(username_key, id);
  }
  return ids;
}
