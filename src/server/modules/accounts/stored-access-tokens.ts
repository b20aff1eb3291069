import * as texts from '#messages/service/access-tokens.ts';
import { randomUUID } from 'node:crypto';
import type { Transaction } from '#server/database/database.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import { ApiError, EntryErrors } from '#shared/contract/errors.ts';
import type { TokenScope } from '#shared/rules/rights.ts';
import { recordSystemHistory, type Actor, type AuditState } from '../history/history.service.ts';
import * as store from './access-tokens.store.ts';
import type { StoredToken } from './access-tokens.store.ts';
import { hashToken, newToken } from './tokens.ts';

export { readTokensOf } from './access-tokens.store.ts';

/** The name of tokens that are created with a username and a password. */
export const BY_PASSWORD = 'POST application/tokens';
/** The prefix by which secret scanners recognise a token. */
const TOKEN_PREFIX = 'idx_';
/** The number of characters that are stored in plain text, for the owner to recognise the token. */
const PREFIX_LENGTH = TOKEN_PREFIX.length + 4;
const MAX_NAMED_TOKENS = 100;
const DAY = 24 * 60 * 60 * 1000;

/** The properties of a new token. */
type NewToken = Pick<StoredToken, 'name' | 'scope' | 'expiresAt'>;

interface CreatedToken {
  readonly token: StoredToken;
  /** what is sent in the `Authorization` header; only its hash is stored */
  readonly secret: string;
}

/** Creates a token of a user. */
export async function createToken(
  db: Transaction,
  userId: number,
  { name, scope, expiresAt }: NewToken,
  actor: Actor,
): Promise<CreatedToken> {
  const secret = TOKEN_PREFIX + newToken();
  const createdAt = Date.now();
  const token: StoredToken = {
    id: randomUUID(),
    userId,
    name,
    prefix: secret.slice(0, PREFIX_LENGTH),
    scope,
    createdAt,
    expiresAt,
    lastUsedAt: null,
  };
  await store.insertToken(db, token, hashToken(secret));
  await recordToken(db, actor, token, 'create', createdAt);
  return { token, secret };
}

/** Why a new token may not expire at the requested time; undefined: it may. @param lifeDays undefined: no limit */
export function lifetimeProblem(expiresAt: number, lifeDays: number | undefined) {
  if (lifeDays === undefined || expiresAt <= Date.now() + lifeDays * DAY) return undefined;
  return texts.livesTooLong({ days: lifeDays });
}

interface RequestedToken extends Pick<NewToken, 'name' | 'expiresAt'> {
  /** returns its permissions, as `readTokenScope` */
  readonly readScope: () => TokenScope;
  /** how long it may be valid at most; undefined: no limit */
  readonly lifeDays: number | undefined;
}

/**
 * Creates a named token.
 * @throws {ApiError} as `readScope`; 422 if the user has too many, or the expiry is in the past or too late; with all
 * errors together
 */
export async function createNamedToken(
  db: Transaction,
  userId: number,
  { name, expiresAt, readScope, lifeDays }: RequestedToken,
  actor: Actor,
): Promise<CreatedToken> {
  const errors = new EntryErrors();
  const scope = await errors.collect(readScope);
  const problem =
    expiresAt <= Date.now() ? texts.alreadyExpired : lifetimeProblem(expiresAt, lifeDays);
  if (problem) errors.add('validation_failed', 'token.expiresAt', problem);
  const others = await store.readTokensOf(db, userId);
  if (others.filter(({ name }) => name !== BY_PASSWORD).length >= MAX_NAMED_TOKENS) {
    errors.add('validation_failed', '-', texts.tooMany({ max: MAX_NAMED_TOKENS }));
  }
  errors.throwIfAny(true);
  if (!scope) throw new Error('The token has no scope, without an error.');
  return createToken(db, userId, { name, scope, expiresAt }, actor);
}

/**
 * Revokes tokens of a user.
 * @param id only this one
 * @returns whether there were any
 */
export async function revokeTokens(
  db: Transaction,
  userId: number,
  actor: Actor,
  id?: string,
): Promise<boolean> {
  const revoked = await store.deleteTokens(db, userId, id);
  for (const token of revoked) await recordToken(db, actor, token, 'delete', Date.now());
  return revoked.length > 0;
}

/** @throws {ApiError} 404 if the user has no such token */
export async function revokeToken(
  db: Transaction,
  userId: number,
  tokenId: string,
  actor: Actor,
): Promise<void> {
  if (!(await revokeTokens(db, userId, actor, tokenId)))
    throw new ApiError('not_found', texts.noToken);
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
    change: { before: null, after: { ...named, firstUsedAt: isoTime(at) } },
    delete: { before: named, after: null },
  } as const;
  return recordSystemHistory(db, { userId, username, address, call }, at, {
    scope: 'token',
    kind,
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
    expiresAt: isoTime(expiresAt),
  };
}
