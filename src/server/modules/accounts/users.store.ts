import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { chunks } from '#server/database/records/bulk.ts';
import type { UserRow } from '#server/database/schema.ts';
import type { Person } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import { ACCESS_LEVELS, type Access, type Role } from '#shared/rules/rights.ts';

export interface StoredUser {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly role: Role;
  readonly passwordHash: string;
  readonly disabled: boolean;
}

export interface StoredRight {
  readonly kind: 'archive' | 'table';
  readonly collectionId: number;
  readonly access: Access;
}

const COLUMNS = ['id', 'username', 'display_name', 'role', 'password_hash', 'disabled'] as const;

export async function readUser(db: Transaction, username: string): Promise<StoredUser | undefined> {
  // PostgreSQL's text cannot contain NUL, so no user has it.
  if (username.includes('\u0000')) return undefined;
  const row = await db.k
    .selectFrom('users')
    .select(COLUMNS)
    .where('username_key', '=', nameKey(username))
    .executeTakeFirst();
  return row && toUser(row);
}

export async function readUserById(db: Transaction, userId: number): Promise<StoredUser> {
  const row = await db.k
    .selectFrom('users')
    .select(COLUMNS)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return toUser(row);
}

export async function readUsers(db: Transaction): Promise<StoredUser[]> {
  const rows = await db.k.selectFrom('users').select(COLUMNS).orderBy('username_key').execute();
  return rows.map(toUser);
}

/**
 * Usernames and display names, in the order of the usernames.
 * @param userId only this user, administrators, and users with a right on an archive or table of this user; null: all
 */
export async function readPeople(db: Transaction, userId: number | null): Promise<Person[]> {
  const all = db.k
    .selectFrom('users')
    .select(['username', 'display_name as displayName'])
    .orderBy('username_key');
  if (userId === null) return all.execute();
  const colleagues = db.k
    .selectFrom('user_rights as own')
    .innerJoin('user_rights as other', (join) =>
      join.onRef('other.kind', '=', 'own.kind').onRef('other.thing_id', '=', 'own.thing_id'),
    )
    .where('own.user_id', '=', userId)
    .select('other.user_id');
  return all
    .where((where) =>
      where.or([
        where('id', '=', userId),
        where('role', '=', 'administrator'),
        where('id', 'in', colleagues),
      ]),
    )
    .execute();
}

export async function hasActiveAdministrator(db: Transaction): Promise<boolean> {
  const row = await db.k
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'administrator')
    .where('disabled', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertUser(
  db: Transaction,
  user: Omit<StoredUser, 'id' | 'disabled'>,
  now: number,
): Promise<number> {
  const { id } = await db.k
    .insertInto('users')
    .values({
      username: user.username,
      username_key: nameKey(user.username),
      display_name: user.displayName,
      role: user.role,
      password_hash: user.passwordHash,
      disabled: 0,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateUser(
  db: Transaction,
  userId: number,
  change: Partial<Pick<UserRow, 'password_hash' | 'disabled' | 'role' | 'display_name'>>,
  now: number,
): Promise<void> {
  await db.k
    .updateTable('users')
    .set({ ...change, updated_at: now })
    .where('id', '=', userId)
    .execute();
}

export async function insertRights(
  db: Transaction,
  userId: number,
  rights: readonly StoredRight[],
): Promise<void> {
  for (const { kind, collectionId, access } of rights) {
    await db.k
      .insertInto('user_rights')
      .values({ user_id: userId, kind, thing_id: collectionId, access })
      .execute();
  }
}

export async function readRight(
  db: Transaction,
  userId: number,
  kind: 'archive' | 'table',
  collectionId: number,
): Promise<Access | null> {
  const [row] = await db.run(RIGHT, [userId, kind, collectionId]);
  return ACCESS_LEVELS.find((level) => level === row?.[0]) ?? null;
}

const RIGHT = {
  owner: readRight,
  name: '',
  build: () => sql`
    select access from user_rights where user_id = ${0} and kind = ${''} and thing_id = ${0}`,
};

export async function readRights(
  db: Transaction,
  userId: number,
  kind: 'archive' | 'table',
): Promise<Map<number, Access>> {
  const rows = await db.k
    .selectFrom('user_rights')
    .select(['thing_id', 'access'])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .execute();
  return new Map(rows.map((row) => [row.thing_id, row.access]));
}

export async function readRightsOf(
  db: Transaction,
  userIds: readonly number[],
): Promise<(StoredRight & { readonly userId: number })[]> {
  const rights: (StoredRight & { readonly userId: number })[] = [];
  for (const chunk of chunks(userIds, [500, 50, 10, 1])) {
    const rows = await db.k
      .selectFrom('user_rights')
      .select(['user_id as userId', 'kind', 'thing_id as collectionId', 'access'])
      .where('user_id', 'in', [...chunk])
      .orderBy('kind')
      .orderBy('thing_id')
      .execute();
    rights.push(...rows);
  }
  return rights;
}

export async function readAllRights(
  db: Transaction,
): Promise<(StoredRight & { readonly userId: number })[]> {
  const rows = await db.k
    .selectFrom('user_rights')
    .select(['user_id', 'kind', 'thing_id', 'access'])
    .execute();
  return rows.map(({ user_id, kind, thing_id, access }) => ({
    userId: user_id,
    kind,
    collectionId: thing_id,
    access,
  }));
}

type Row = Pick<UserRow, 'username' | 'display_name' | 'role' | 'password_hash' | 'disabled'>;

function toUser(row: Row & { id: number }): StoredUser {
  return {
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    role: row.role,
    passwordHash: row.password_hash,
    disabled: row.disabled !== 0,
  };
}
