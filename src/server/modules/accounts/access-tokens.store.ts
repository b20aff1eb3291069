import { sql, type InferResult } from 'kysely';
import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import { integerAt, textAt } from '#server/database/row-values.ts';
import type { AccessTokenRow } from '#server/database/tables/account-tables.ts';
import { ACCESS_LEVELS, ROLES, type Role, type TokenScope } from '#shared/rules/rights.ts';

/** A token as its owner sees it. */
export type StoredToken = ReturnType<typeof toToken>;

/** A valid token with its owner. */
interface OpenToken extends Pick<StoredToken, 'id' | 'userId' | 'scope'> {
  readonly role: Role;
}

const COLUMNS = [
  'id',
  'user_id as userId',
  'name',
  'prefix',
  'access',
  'archives',
  'tables',
  'configuration',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'last_used_at as lastUsedAt',
] as const;

function tokens(db: Transaction) {
  return db.k.selectFrom('access_tokens').select(COLUMNS);
}

const TOKEN = {
  owner: readByHash,
  name: '',
  build: () => sql`
    select access_tokens.id, user_id, username, role, must_change_password, access_tokens.created_at,
      coalesce(last_used_at, 0), access, archives, tables, configuration
    from access_tokens inner join users on users.id = access_tokens.user_id
    where token_hash = ${''} and expires_at > ${0} and disabled = 0`,
};

/** The valid token of a hash, with its owner, unless that one is disabled. */
export async function readByHash(db: Transaction, tokenHash: string, now: number) {
  const [row] = await db.run(TOKEN, [tokenHash, now]);
  const role = ROLES.find((known) => known === row?.[3]);
  const access = ACCESS_LEVELS.find((known) => known === row?.[7]);
  if (!row || !role || !access) return undefined;
  const textOrNull = (at: number) => (row[at] === null ? null : textAt(row, at));
  return {
    id: textAt(row, 0),
    userId: integerAt(row, 1),
    username: textAt(row, 2),
    role,
    passwordChangeRequired: integerAt(row, 4) !== 0,
    createdAt: integerAt(row, 5),
    lastSeenAt: integerAt(row, 6),
    scope: scopeOf({
      access,
      archives: textOrNull(8),
      tables: textOrNull(9),
      configuration: integerAt(row, 10),
    }),
  };
}

/** The valid tokens among these ids, of users who are not disabled. */
export async function readOpenTokens(
  db: Transaction,
  ids: readonly string[],
  now: number,
): Promise<OpenToken[]> {
  const rows = await db.k
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .select([
      'access_tokens.id',
      'user_id as userId',
      'users.role',
      'access',
      'archives',
      'tables',
      'configuration',
    ])
    .where('access_tokens.id', 'in', [...ids])
    .where('expires_at', '>', now)
    .where('users.disabled', '=', 0)
    .execute();
  return rows.map((row) => ({ ...row, scope: scopeOf(row) }));
}

/** The tokens of a user, or of all (null), newest first. */
export async function readTokensOf(db: Transaction, userId: number | null): Promise<StoredToken[]> {
  let query = tokens(db).orderBy('created_at', 'desc');
  if (userId !== null) query = query.where('user_id', '=', userId);
  return (await query.orderBy('id').execute()).map(toToken);
}

export async function insertToken(
  db: Transaction,
  token: StoredToken,
  tokenHash: string,
): Promise<void> {
  const { right, only, configuration } = token.scope;
  await db.k
    .insertInto('access_tokens')
    .values({
      id: token.id,
      token_hash: tokenHash,
      user_id: token.userId,
      name: token.name,
      prefix: token.prefix,
      access: right,
      archives: only && JSON.stringify(only.archives),
      tables: only && JSON.stringify(only.tables),
      configuration: configuration ? 1 : 0,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
      last_used_at: token.lastUsedAt,
    })
    .execute();
}

/** Stores the use of a token. @returns the token if this was the first use, and it is not revoked */
export async function storeUse(
  db: Transaction,
  id: string,
  now: number,
): Promise<StoredToken | undefined> {
  const row = await tokens(db).where('id', '=', id).executeTakeFirst();
  if (!row || (row.lastUsedAt ?? 0) >= now) return undefined;
  await db.k.updateTable('access_tokens').set({ last_used_at: now }).where('id', '=', id).execute();
  return row.lastUsedAt === null ? toToken(row) : undefined;
}

/** Deletes tokens of a user. @param id only this one @returns the deleted ones */
export async function deleteTokens(
  db: Transaction,
  userId: number,
  id?: string,
): Promise<StoredToken[]> {
  let query = db.k.deleteFrom('access_tokens').where('user_id', '=', userId);
  if (id !== undefined) query = query.where('id', '=', id);
  const rows = await query.returning(COLUMNS).execute();
  return rows.map(toToken);
}

/** Expired tokens with their owners. */
export function readExpiredTokens(db: Transaction, now: number) {
  return db.k
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .select(['access_tokens.id', 'user_id as userId', 'users.username'])
    .where('expires_at', '<=', now)
    .execute();
}

type ScopeColumns = Pick<AccessTokenRow, 'access' | 'archives' | 'tables' | 'configuration'>;

function toToken({
  access,
  archives,
  tables,
  configuration,
  ...token
}: InferResult<ReturnType<typeof tokens>>[number]) {
  return { ...token, scope: scopeOf({ access, archives, tables, configuration }) };
}

const idsSchema = z.array(z.number());

function scopeOf({ access, archives, tables, configuration }: ScopeColumns): TokenScope {
  const only =
    archives === null || tables === null
      ? null
      : {
          archives: idsSchema.parse(JSON.parse(archives)),
          tables: idsSchema.parse(JSON.parse(tables)),
        };
  return { right: access, only, configuration: configuration !== 0 };
}
