import type { InferResult } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { FactorKind } from '#shared/contract/factors.ts';
import type { NewRecoveryCodes } from './recovery-codes.ts';

type StoredTotp = NonNullable<Awaited<ReturnType<typeof readTotp>>>;
export type StoredPasskey = InferResult<ReturnType<typeof passkeys>>[number];

export async function readTotp(db: Transaction, userId: number) {
  return db.k
    .selectFrom('totp_secrets')
    .select([
      'factor_id as factorId',
      'name',
      'secret',
      'last_step as lastStep',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
    ])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function insertTotp(
  db: Transaction,
  userId: number,
  totp: Omit<StoredTotp, 'lastUsedAt'>,
): Promise<void> {
  await db.k
    .insertInto('totp_secrets')
    .values({
      user_id: userId,
      factor_id: totp.factorId,
      name: totp.name,
      secret: totp.secret,
      last_step: totp.lastStep,
      created_at: totp.createdAt,
    })
    .execute();
}

/** The sealed secrets of all users. */
export async function readTotpSecrets(
  db: Transaction,
): Promise<readonly { readonly userId: number; readonly secret: string }[]> {
  return db.k.selectFrom('totp_secrets').select(['user_id as userId', 'secret']).execute();
}

export async function replaceTotpSecret(
  db: Transaction,
  userId: number,
  secret: string,
): Promise<void> {
  await db.k.updateTable('totp_secrets').set({ secret }).where('user_id', '=', userId).execute();
}

/** @returns whether the step is newer than every accepted one */
export async function advanceTotp(
  db: Transaction,
  userId: number,
  step: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db.k
    .updateTable('totp_secrets')
    .set({ last_step: step, last_used_at: now })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function passkeys(db: Transaction) {
  return db.k
    .selectFrom('passkeys')
    .select([
      'factor_id as factorId',
      'user_id as userId',
      'name',
      'credential_id as credentialId',
      'public_key as publicKey',
      'counter',
      'transports',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
    ]);
}

/** The oldest first. */
export async function readPasskeys(db: Transaction, userId: number): Promise<StoredPasskey[]> {
  return passkeys(db)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('factor_id')
    .execute();
}

export async function readPasskey(
  db: Transaction,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  return passkeys(db).where('credential_id', '=', credentialId).executeTakeFirst();
}

export async function insertPasskey(
  db: Transaction,
  passkey: Omit<StoredPasskey, 'lastUsedAt'>,
): Promise<void> {
  await db.k
    .insertInto('passkeys')
    .values({
      factor_id: passkey.factorId,
      user_id: passkey.userId,
      name: passkey.name,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      created_at: passkey.createdAt,
    })
    .execute();
}

/**
 * Stores the use of a passkey.
 * @param before the counter that the new one was compared with
 * @returns whether it is still the stored one
 */
export async function advancePasskey(
  db: Transaction,
  factorId: string,
  { before, after }: { readonly before: number; readonly after: number },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db.k
    .updateTable('passkeys')
    .set({ counter: after, last_used_at: now })
    .where('factor_id', '=', factorId)
    .where('counter', '=', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes the factors of a user. @param factorId only this one */
export async function deleteFactorRows(
  db: Transaction,
  userId: number,
  factorId?: string,
): Promise<void> {
  for (const table of ['totp_secrets', 'passkeys'] as const) {
    const query = db.k.deleteFrom(table).where('user_id', '=', userId);
    await (factorId === undefined ? query : query.where('factor_id', '=', factorId)).execute();
  }
}

/** @returns whether the user has such a factor */
export async function updateFactorName(
  db: Transaction,
  userId: number,
  factorId: string,
  name: string,
): Promise<boolean> {
  let isRenamed = false;
  for (const table of ['totp_secrets', 'passkeys'] as const) {
    const { numUpdatedRows } = await db.k
      .updateTable(table)
      .set({ name })
      .where('user_id', '=', userId)
      .where('factor_id', '=', factorId)
      .executeTakeFirst();
    isRenamed ||= numUpdatedRows > 0n;
  }
  return isRenamed;
}

/** The factors of users. @param userIds null: of all */
export async function readFactorIds(
  db: Transaction,
  userIds: readonly number[] | null,
): Promise<{ userId: number; factorId: string; kind: FactorKind }[]> {
  if (userIds?.length === 0) return [];
  const of = (table: 'totp_secrets' | 'passkeys') => {
    const query = db.k.selectFrom(table).select(['user_id as userId', 'factor_id as factorId']);
    return userIds ? query.where('user_id', 'in', userIds) : query;
  };
  const totp = await of('totp_secrets').execute();
  const passkeys = await of('passkeys').execute();
  return [
    ...totp.map((row) => ({ ...row, kind: 'totp' as const })),
    ...passkeys.map((row) => ({ ...row, kind: 'passkey' as const })),
  ];
}

type RecoveryCodes = Pick<NewRecoveryCodes, 'salt' | 'digests'>;

export async function readRecoveryCodes(
  db: Transaction,
  userId: number,
): Promise<RecoveryCodes | undefined> {
  const rows = await db.k
    .selectFrom('recovery_codes')
    .select(['digest', 'salt'])
    .where('user_id', '=', userId)
    .execute();
  const [first] = rows;
  return first && { salt: first.salt, digests: rows.map(({ digest }) => digest) };
}

export async function replaceRecoveryCodeRows(
  db: Transaction,
  userId: number,
  { salt, digests }: RecoveryCodes,
): Promise<void> {
  await db.k.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (digests.length === 0) return;
  await db.k
    .insertInto('recovery_codes')
    .values(digests.map((digest) => ({ user_id: userId, digest, salt })))
    .execute();
}

/** @returns whether the user had the code */
export async function deleteRecoveryCode(
  db: Transaction,
  userId: number,
  digest: string,
): Promise<boolean> {
  const { numDeletedRows } = await db.k
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('digest', '=', digest)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** @returns whether it was not used before */
export async function insertUsedChallenge(
  db: Transaction,
  digest: string,
  expiresAt: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db.k
    .insertInto('used_challenges')
    .values({ digest, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}
