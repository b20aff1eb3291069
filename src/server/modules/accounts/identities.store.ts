import type { InferResult } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { nameKey } from '#shared/rules/names.ts';

/** A person's account at a provider: (issuer, subject). */
export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

export type StoredIdentity = InferResult<ReturnType<typeof select>>[number];

function select(db: Transaction) {
  return db.k
    .selectFrom('user_identities')
    .select([
      'issuer',
      'subject',
      'user_id as userId',
      'provider',
      'username',
      'seen_at as seenAt',
    ]);
}

export function readIdentity(
  db: Transaction,
  { issuer, subject }: IdentityKey,
): Promise<StoredIdentity | undefined> {
  return select(db).where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst();
}

/** The linked identities of some users, or of all users (null). */
export function readLinked(
  db: Transaction,
  userIds: readonly number[] | null,
): Promise<StoredIdentity[]> {
  if (userIds?.length === 0) return Promise.resolve([]);
  const linked = select(db).where('user_id', 'is not', null);
  return (userIds === null ? linked : linked.where('user_id', 'in', userIds)).execute();
}

/** The unlinked identities with this username at the provider. */
export function readUnlinked(db: Transaction, username: string): Promise<StoredIdentity[]> {
  return select(db)
    .where('user_id', 'is', null)
    .where('username_key', '=', nameKey(username))
    .orderBy('seen_at', 'desc')
    .orderBy('subject')
    .execute();
}

/** Stores an identity and replaces an earlier state. */
export async function writeIdentity(db: Transaction, identity: StoredIdentity): Promise<void> {
  const { issuer, subject, userId, provider, username, seenAt } = identity;
  const values = {
    user_id: userId,
    provider,
    username,
    username_key: nameKey(username),
    seen_at: seenAt,
  };
  await db.k
    .insertInto('user_identities')
    .values({ issuer, subject, ...values })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet(values))
    .execute();
}
