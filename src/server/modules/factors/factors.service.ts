import { createHmac, hash, randomUUID } from 'node:crypto';
import * as texts from '#messages/service/factors.ts';
import type { Transaction } from '#server/database/database.ts';
import { readInstallationSecrets } from '#server/database/installation-secret.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { FactorKind } from '#shared/contract/factors.ts';
import { recordUserChange, type Actor, type AuditState } from '../history/history.service.ts';
import * as store from './factors.store.ts';
import type { NewRecoveryCodes } from './recovery-codes.ts';
import { readSealer, type Sealer } from './sealing.ts';

/** A factor of a user, without its secrets. */
interface UserFactor extends Pick<
  store.StoredPasskey,
  'factorId' | 'name' | 'createdAt' | 'lastUsedAt'
> {
  readonly kind: FactorKind;
}

const MAX_PASSKEYS = 20;
const TOTP_SECRET = 'TOTP secret';

/** The factors of a user: the authenticator app, then the passkeys in the order of their creation. */
export async function listFactors(db: Transaction, userId: number): Promise<UserFactor[]> {
  const totp = await store.readTotp(db, userId);
  const passkeys = await store.readPasskeys(db, userId);
  return [
    ...(totp ? [presentFactor('totp', totp)] : []),
    ...passkeys.map((passkey) => presentFactor('passkey', passkey)),
  ];
}

function presentFactor(
  kind: FactorKind,
  { factorId, name, createdAt, lastUsedAt }: Omit<UserFactor, 'kind'>,
): UserFactor {
  return { factorId, kind, name, createdAt, lastUsedAt };
}

export async function hasFactor(db: Transaction, userId: number): Promise<boolean> {
  return (await store.readFactorIds(db, [userId])).length > 0;
}

/** The users who have a second factor, of those given. */
export async function readUsersWithFactor(
  db: Transaction,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  return new Set((await store.readFactorIds(db, userIds)).map(({ userId }) => userId));
}

/** The factors of users according to the history, by user. */
export async function readFactorAuditStates(db: Transaction): Promise<Map<number, AuditState>> {
  const states = new Map<number, Record<string, unknown>>();
  for (const { userId, factorId, kind } of await store.readFactorIds(db, null)) {
    const state = states.get(userId) ?? {};
    state[auditName(factorId)] = kind;
    states.set(userId, state);
  }
  return states;
}

function auditName(factorId: string): string {
  return `factor.${factorId}`;
}

/** The secret of the authenticator app of a user, in Base32. */
export async function readTotpSecret(
  db: Transaction,
  userId: number,
): Promise<{ readonly secret: string; readonly lastStep: number } | undefined> {
  const stored = await store.readTotp(db, userId);
  if (!stored) return undefined;
  const secret = openTotpSecret(await readSealer(db), userId, stored.secret);
  return { secret, lastStep: stored.lastStep };
}

function openTotpSecret(sealer: Sealer, userId: number, sealed: string): string {
  const secret = sealer.open(purposeOf(userId), sealed);
  if (secret === null) throw new Error('A TOTP secret was not encrypted by this installation.');
  return secret;
}

/** Encrypts the secrets of all authenticator apps again, with the newest secret of the installation. */
export async function encryptTotpSecretsAgain(db: Transaction): Promise<void> {
  const sealer = await readSealer(db);
  for (const { userId, secret } of await store.readTotpSecrets(db)) {
    const opened = openTotpSecret(sealer, userId, secret);
    await store.replaceTotpSecret(db, userId, sealer.seal(purposeOf(userId), opened));
  }
}

/** A stored secret is bound to its user. */
function purposeOf(userId: number): string {
  return `${TOTP_SECRET} of user ${userId}`;
}

/** The user handle for authenticators: opaque, and the same for all passkeys of the user; base64url. */
export async function readUserHandle(db: Transaction, userId: number): Promise<string> {
  const [secret] = await readInstallationSecrets(db);
  return createHmac('sha256', secret).update(`passkeys of user ${userId}`).digest('base64url');
}

/** The id of the user of a passkey. @param credentialId as authenticators name it */
export async function ownerOfPasskey(
  db: Transaction,
  credentialId: string,
): Promise<number | undefined> {
  return (await store.readPasskey(db, credentialId))?.userId;
}

/** @throws {ApiError} 409 if the user has an authenticator app */
export async function requireNoTotp(db: Transaction, userId: number): Promise<void> {
  if (await store.readTotp(db, userId)) throw new ApiError('conflict', texts.totpExists);
}

/** @throws {ApiError} 409 if the user has too many passkeys */
export async function requireRoomForPasskey(db: Transaction, userId: number): Promise<void> {
  if ((await store.readPasskeys(db, userId)).length < MAX_PASSKEYS) return;
  throw new ApiError('conflict', texts.tooManyPasskeys({ max: MAX_PASSKEYS }));
}

/**
 * Stores an authenticator app.
 * @param lastStep the time step of the code that proved it, which is then used
 * @throws {ApiError} 409
 */
export async function addTotp(
  db: Transaction,
  userId: number,
  {
    secret,
    name,
    lastStep,
  }: { readonly secret: string; readonly name: string; readonly lastStep: number },
  actor: Actor,
): Promise<void> {
  await requireNoTotp(db, userId);
  const factorId = randomUUID();
  await store.insertTotp(db, userId, {
    factorId,
    name,
    secret: (await readSealer(db)).seal(purposeOf(userId), secret),
    lastStep,
    createdAt: Date.now(),
  });
  await recordFactorChange(db, userId, { [auditName(factorId)]: [null, 'totp'] }, actor);
}

/** Stores a passkey. @throws {ApiError} 409 */
export async function addPasskey(
  db: Transaction,
  passkey: Omit<store.StoredPasskey, 'factorId' | 'createdAt' | 'lastUsedAt'>,
  actor: Actor,
): Promise<void> {
  const { userId, credentialId } = passkey;
  await requireRoomForPasskey(db, userId);
  if (await store.readPasskey(db, credentialId)) {
    throw new ApiError('conflict', texts.passkeyExists);
  }
  const factorId = randomUUID();
  await store.insertPasskey(db, { ...passkey, factorId, createdAt: Date.now() });
  await recordFactorChange(db, userId, { [auditName(factorId)]: [null, 'passkey'] }, actor);
}

export async function replaceRecoveryCodes(
  db: Transaction,
  userId: number,
  codes: NewRecoveryCodes,
  actor: Actor,
): Promise<void> {
  await store.replaceRecoveryCodeRows(db, userId, codes);
  // As with passwords, the history does not contain them.
  await recordFactorChange(db, userId, { recoveryCodes: [undefined, 'changed'] }, actor);
}

export async function countRecoveryCodes(db: Transaction, userId: number): Promise<number> {
  return (await store.readRecoveryCodes(db, userId))?.digests.length ?? 0;
}

/**
 * Names are only for the user: the history does not contain them. @throws {ApiError} 404 if the user has no such factor
 */
export async function renameFactor(
  db: Transaction,
  userId: number,
  factorId: string,
  name: string,
): Promise<void> {
  if (await store.updateFactorName(db, userId, factorId, name)) return;
  throw new ApiError('not_found', texts.none);
}

/**
 * Removes factors of a user, and with the last one the recovery codes.
 * @param factorId one of them; null: all
 * @throws {ApiError} 404 if the user has no such factor
 */
export async function removeFactors(
  db: Transaction,
  userId: number,
  factorId: string | null,
  actor: Actor,
): Promise<void> {
  const factors = await listFactors(db, userId);
  const removed =
    factorId === null ? factors : factors.filter((factor) => factor.factorId === factorId);
  if (factorId !== null && removed.length === 0) throw new ApiError('not_found', texts.none);
  if (removed.length === factors.length) await deleteFactors(db, userId);
  else for (const factor of removed) await store.deleteFactorRows(db, userId, factor.factorId);
  const changes = removed.map((factor) => [auditName(factor.factorId), [factor.kind, null]]);
  await recordFactorChange(db, userId, Object.fromEntries(changes), actor);
}

/** Deletes all factors and recovery codes of a user whose deletion the history records otherwise. */
export async function deleteFactors(db: Transaction, userId: number): Promise<void> {
  await store.deleteFactorRows(db, userId);
  await store.replaceRecoveryCodeRows(db, userId, { salt: '', digests: [] });
}

/** The value that binds a challenge to the password: a new password invalidates it. */
export function passwordHashDigest(passwordHash: string): string {
  return hash('sha256', passwordHash, 'base64url');
}

/** Adds changes to the history of a user: before and after, by name. */
function recordFactorChange(
  db: Transaction,
  userId: number,
  changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>,
  actor: Actor,
): Promise<void> {
  const side = (index: 0 | 1): AuditState =>
    Object.fromEntries(
      Object.entries(changes).flatMap(([name, values]) =>
        values[index] === undefined ? [] : [[name, values[index]]],
      ),
    );
  return recordUserChange(db, actor, Date.now(), { userId, before: side(0), after: side(1) });
}
