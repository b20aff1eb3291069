import * as texts from '#messages/service/factors.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { NewFactor } from '#shared/contract/factor-requests.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Actor } from '../history/history.service.ts';
import { challengeExpired, newChallenge, openChallenge, useChallenge } from './challenges.ts';
import {
  addPasskey,
  addTotp,
  countRecoveryCodes,
  hasFactor,
  readUserHandle,
  requireNoTotp,
  requireRoomForPasskey,
  replaceRecoveryCodes,
} from './factors.service.ts';
import { readPasskeys } from './factors.store.ts';
import { creationOptions, verifyAttestation } from './passkeys.ts';
import { newRecoveryCodes, type NewRecoveryCodes } from './recovery-codes.ts';
import type { RelyingParty } from './relying-party.ts';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

/** The owner of the new factor. */
interface Owner {
  readonly userId: number;
  readonly username: string;
}

/** The answer for a new factor, besides the existing factors. */
interface Enrolled {
  readonly enrolment?: {
    readonly challenge: string;
    readonly secret?: string;
    readonly uri?: string;
    readonly publicKey?: object;
  };
  /** only in this answer */
  readonly recoveryCodes?: readonly string[];
}

/** The function for the transaction, after all slow work. */
type Enrol = (db: Transaction, actor: Actor) => Promise<Enrolled>;

/**
 * Prepares a step of setting up a factor, or new recovery codes.
 * @throws {ApiError} 422 under `totp` or `attestation`; 401 under `challenge`
 */
export async function prepareFactor(
  database: Database,
  factor: NewFactor,
  owner: Owner,
  party: RelyingParty,
): Promise<Enrol> {
  switch (factor.kind) {
    case 'totp':
      return 'challenge' in factor
        ? finishTotp(database, factor, owner)
        : (db) => beginTotp(db, owner);
    case 'passkey':
      return 'challenge' in factor
        ? finishPasskey(database, factor, owner, party)
        : beginPasskey(database, owner, party);
    case 'recoveryCodes':
      return prepareCodes(owner);
    default:
      return factor satisfies never;
  }
}

type Finished<Kind extends string> = Extract<
  NewFactor,
  { readonly kind: Kind; readonly challenge: string }
>;

async function beginTotp(db: Transaction, { userId, username }: Owner): Promise<Enrolled> {
  await requireNoTotp(db, userId);
  const secret = newTotpSecret();
  const challenge = await newChallenge(db, 'totp enrolment', { userId, data: secret });
  return { enrolment: { challenge, secret, uri: totpUri(secret, username) } };
}

async function finishTotp(
  database: Database,
  { challenge: text, totp, name = texts.authenticatorApp }: Finished<'totp'>,
  { userId }: Owner,
): Promise<Enrol> {
  const challenge = await database.read((db) => openChallenge(db, 'totp enrolment', text));
  if (challenge?.userId !== userId) throw challengeExpired();
  const secret = challenge.data;
  const lastStep = stepOfCode(secret, totp.replaceAll(/\s/g, ''));
  if (lastStep === null) throw new ApiError('validation_failed', { totp: [texts.codeWrong] });
  const codes = await codesOfFirst(database, userId);
  return async (db, actor) => {
    await useChallenge(db, challenge);
    await addTotp(db, userId, { secret, name, lastStep }, actor);
    return addRecoveryCodes(db, userId, codes, actor);
  };
}

async function beginPasskey(
  database: Database,
  { userId, username }: Owner,
  party: RelyingParty,
): Promise<Enrol> {
  const { challenge, handle, passkeys } = await database.read(async (db) => {
    await requireRoomForPasskey(db, userId);
    return {
      challenge: await newChallenge(db, 'passkey enrolment', { userId, data: '' }),
      handle: await readUserHandle(db, userId),
      passkeys: await readPasskeys(db, userId),
    };
  });
  const user = { handle, username };
  const publicKey = await creationOptions(party, user, challenge, passkeys);
  return () => Promise.resolve({ enrolment: { challenge, publicKey } });
}

async function finishPasskey(
  database: Database,
  { challenge: text, attestation, name = texts.passkey }: Finished<'passkey'>,
  { userId }: Owner,
  party: RelyingParty,
): Promise<Enrol> {
  const challenge = await database.read((db) => openChallenge(db, 'passkey enrolment', text));
  if (challenge?.userId !== userId) throw challengeExpired();
  const passkey = await verifyAttestation(party, text, attestation);
  if (!passkey) {
    throw new ApiError('validation_failed', { attestation: [texts.passkeyInvalid] });
  }
  const codes = await codesOfFirst(database, userId);
  return async (db, actor) => {
    await useChallenge(db, challenge);
    await addPasskey(db, { ...passkey, userId, name }, actor);
    return addRecoveryCodes(db, userId, codes, actor);
  };
}

/** The first factor comes with recovery codes. Their digests are slow, so they are computed before the transaction. */
async function codesOfFirst(database: Database, userId: number): Promise<NewRecoveryCodes | null> {
  const left = await database.read((db) => countRecoveryCodes(db, userId));
  return left === 0 ? newRecoveryCodes() : null;
}

async function addRecoveryCodes(
  db: Transaction,
  userId: number,
  codes: NewRecoveryCodes | null,
  actor: Actor,
): Promise<Enrolled> {
  if (!codes) return {};
  await replaceRecoveryCodes(db, userId, codes, actor);
  return { recoveryCodes: codes.codes };
}

async function prepareCodes({ userId }: Owner): Promise<Enrol> {
  const codes = await newRecoveryCodes();
  return async (db, actor) => {
    if (!(await hasFactor(db, userId))) throw new ApiError('conflict', texts.noneForCodes);
    return addRecoveryCodes(db, userId, codes, actor);
  };
}
