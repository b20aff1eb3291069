import type { Transaction } from '#server/database/database.ts';
import { recordSystemHistory, type Actor, type AuditState } from '../history/history.service.ts';
import * as store from './access-tokens.store.ts';
import type { StoredToken } from './access-tokens.store.ts';

export { readTokensOf } from './access-tokens.store.ts';

/** Revokes all tokens of a user. */
export async function revokeTokensOf(db: Transaction, userId: number, actor: Actor): Promise<void> {
  for (const token of await store.deleteTokens(db, userId)) {
    await recordToken(db, actor, token, 'delete', Date.now());
  }
}

/** Adds a change of a token to the history: `change` is its first use. */
export function recordToken(
  db: Transaction,
  { userId, username, address, call }: Actor,
  token: StoredToken,
  kind: 'create' | 'change' | 'delete',
  at: number,
): Promise<void> {
  const { id: tokenId, name } = token;
  const named = { tokenId, name };
  const states = {
    create: { before: null, after: auditStateOfToken(token) },
    change: { before: null, after: { ...named, firstUsedAt: new Date(at).toISOString() } },
    delete: { before: named, after: null },
  } as const;
  return recordSystemHistory(db, { userId, username, address, call }, at, {
    scope: 'token',
    kind,
    collectionId: 0,
    rowId: token.userId,
    ...states[kind],
  });
}

/** The state of a new token in the history. */
export function auditStateOfToken({ id, name, prefix, scope, expiresAt }: StoredToken): AuditState {
  const { right, only, configuration } = scope;
  return {
    tokenId: id,
    name,
    prefix,
    right,
    ...(only ? { archives: only.archives, tables: only.tables } : {}),
    ...(configuration ? { configuration } : {}),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
