import type { InferResult, Updateable } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { UserRow } from '#server/database/tables/account-tables.ts';
import type { Person } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { TokenScope } from '#shared/rules/rights.ts';

export type StoredUser = ReturnType<typeof toUser>;

/** The users who are not deleted. */
function users(db: Transaction) {
  return db.k
    .selectFrom('users')
    .select([
      'id',
      'username',
      'display_name as displayName',
      'email',
      'role',
      'password_hash as passwordHash',
      'must_change_password as mustChangePassword',
      'password_set_at as passwordSetAt',
      'disabled',
      'created_at as createdAt',
      'last_sign_in_at as lastSignInAt',
    ])
    .where('deleted_at', 'is', null);
}

/** A user who is not deleted, by name. */
export async function readUser(db: Transaction, username: string): Promise<StoredUser | undefined> {
  // PostgreSQL's text cannot contain NUL, so no user has it.
  if (username.includes('\u0000')) return undefined;
  const row = await users(db).where('username_key', '=', nameKey(username)).executeTakeFirst();
  return row && toUser(row);
}

/** A user who is not deleted, by id. */
export async function readUserById(db: Transaction, id: number): Promise<StoredUser | undefined> {
  const row = await users(db).where('id', '=', id).executeTakeFirst();
  return row && toUser(row);
}

/** Whether the name belonged to a deleted user, so that it cannot be reused. */
export async function isReservedName(db: Transaction, username: string): Promise<boolean> {
  if (username.includes('\u0000')) return false;
  const row = await db.k
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', nameKey(username))
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The ids of deleted users. */
export async function readDeletedIds(db: Transaction): Promise<number[]> {
  const rows = await db.k
    .selectFrom('users')
    .select('id')
    .where('deleted_at', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

export async function readUsers(db: Transaction): Promise<StoredUser[]> {
  return (await users(db).orderBy('username_key').execute()).map(toUser);
}

/**
 * Usernames and display names, in the order of the usernames.
 * @param userId only this user, administrators, and users with a right on an archive or table of this user; null: all
 * @param only the archives and tables that a token can access: others do not count; null: all count
 */
export async function readPeople(
  db: Transaction,
  userId: number | null,
  only: TokenScope['only'],
): Promise<Person[]> {
  const all = db.k
    .selectFrom('users')
    .select(['username', 'display_name as displayName'])
    .where('deleted_at', 'is', null)
    .orderBy('username_key');
  if (userId === null && !only) return all.execute();
  const rights = db.k
    .selectFrom('user_rights')
    .select(['user_id', 'kind', 'thing_id'])
    .unionAll(
      db.k
        .selectFrom('group_members')
        .innerJoin('group_rights', 'group_rights.group_id', 'group_members.group_id')
        .select(['user_id', 'kind', 'thing_id']),
    );
  const ids = [
    ...(only?.archives ?? []).map((id) => ['archive', id] as const),
    ...(only?.tables ?? []).map((id) => ['table', id] as const),
  ];
  const colleagues = db.k
    .selectFrom(rights.as('own'))
    .innerJoin(rights.as('other'), (join) =>
      join.onRef('other.kind', '=', 'own.kind').onRef('other.thing_id', '=', 'own.thing_id'),
    )
    .$if(userId !== null, (query) => query.where('own.user_id', '=', userId))
    .$if(only !== null, (query) =>
      query.where((where) =>
        where.or(
          ids.map(([kind, id]) =>
            where.and([where('own.kind', '=', kind), where('own.thing_id', '=', id)]),
          ),
        ),
      ),
    )
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

/** @param except the id of a user who does not count */
export async function hasActiveAdministrator(db: Transaction, except = 0): Promise<boolean> {
  const row = await db.k
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'administrator')
    .where('disabled', '=', 0)
    .where('id', '!=', except)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertUser(
  db: Transaction,
  user: Omit<StoredUser, 'id' | 'disabled' | 'createdAt' | 'lastSignInAt' | 'passwordSetAt'>,
  now: number,
): Promise<number> {
  const { id } = await db.k
    .insertInto('users')
    .values({
      username: user.username,
      username_key: nameKey(user.username),
      display_name: user.displayName,
      email: user.email,
      role: user.role,
      password_hash: user.passwordHash,
      must_change_password: user.mustChangePassword ? 1 : 0,
      password_set_at: now,
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
  change: Updateable<UserRow>,
  now: number,
): Promise<void> {
  await db.k
    .updateTable('users')
    .set({ ...change, updated_at: now })
    .where('id', '=', userId)
    .execute();
}

export async function updateLastSignIn(
  db: Transaction,
  userId: number,
  now: number,
): Promise<void> {
  await db.k.updateTable('users').set({ last_sign_in_at: now }).where('id', '=', userId).execute();
}

function toUser(row: InferResult<ReturnType<typeof users>>[number]) {
  return {
    ...row,
    mustChangePassword: row.mustChangePassword !== 0,
    disabled: row.disabled !== 0,
  };
}
