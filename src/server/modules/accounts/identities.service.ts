import * as texts from '#messages/service/oidc.ts';
import type { Transaction } from '#server/database/database.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { recordUserChange, type Actor, type AuditState } from '../history/history.service.ts';
import * as store from './identities.store.ts';
import type { IdentityKey, StoredIdentity } from './identities.store.ts';

export type { IdentityKey, StoredIdentity } from './identities.store.ts';
export { readIdentity, readLinked, readUnlinked, writeIdentity } from './identities.store.ts';

/** The account at a provider with which a user signs in. */
export async function identityOf(
  db: Transaction,
  userId: number,
): Promise<StoredIdentity | undefined> {
  const [identity] = await store.readLinked(db, [userId]);
  return identity;
}

/**
 * Links a user with an account at a provider, which then signs in as this user.
 * @throws {ApiError} 409 if the account is linked with another user, or the user with another account
 */
export async function linkIdentity(
  db: Transaction,
  user: { readonly id: number; readonly username: string },
  { issuer, subject, provider }: IdentityKey & { readonly provider: string },
  actor: Actor,
): Promise<void> {
  const own = await identityOf(db, user.id);
  if (own?.issuer === issuer && own.subject === subject) return;
  const { username } = user;
  if (own) throw new ApiError('conflict', { identity: [texts.alreadyLinked({ username })] });
  const known = await store.readIdentity(db, { issuer, subject });
  if (known && known.userId !== null) {
    throw new ApiError('conflict', { identity: [texts.identityTaken] });
  }
  const { seenAt = null, username: named = username } = known ?? {};
  const identity = { issuer, subject, provider, userId: user.id, username: named, seenAt };
  await store.writeIdentity(db, identity);
  await recordIdentityChange(db, actor, user.id, null, { issuer, subject });
}

/** Removes the link of a deleted user; the history then contains the user's last state. */
export async function releaseIdentity(db: Transaction, userId: number): Promise<void> {
  const identity = await identityOf(db, userId);
  if (identity) await store.writeIdentity(db, { ...identity, userId: null });
}

/** Removes the link of a user, if there is one. @returns whether there was one */
export async function unlinkIdentity(
  db: Transaction,
  userId: number,
  actor: Actor,
): Promise<boolean> {
  const identity = await identityOf(db, userId);
  if (!identity) return false;
  await store.writeIdentity(db, { ...identity, userId: null });
  await recordIdentityChange(db, actor, userId, identity, null);
  return true;
}

/** The identity of a user as stored in the history. */
export function auditStateOfIdentity(identity: IdentityKey | null | undefined): AuditState {
  return identity ? { identity: { issuer: identity.issuer, subject: identity.subject } } : {};
}

function recordIdentityChange(
  db: Transaction,
  actor: Actor,
  userId: number,
  before: IdentityKey | null,
  after: IdentityKey | null,
): Promise<void> {
  const states = { before: auditStateOfIdentity(before), after: auditStateOfIdentity(after) };
  return recordUserChange(db, actor, Date.now(), { userId, ...states });
}
