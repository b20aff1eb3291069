import type { Database, Transaction } from '#server/database/database.ts';
import type { Client } from '#server/http/route.ts';
import type { SignInBody } from '#shared/contract/factor-requests.ts';
import { challengeExpired, openChallenge } from '../factors/challenges.ts';
import { passwordHashDigest, ownerOfPasskey } from '../factors/factors.service.ts';
import type { FactorProof, FactorProofs } from '../factors/proofs.ts';
import type { RelyingParty } from '../factors/relying-party.ts';
import { knownDeviceOf } from './begin-session.ts';
import { findUserById, type User } from './users.service.ts';

/** The credentials without a password: the second step after one, or a passkey alone. */
export type FactorCredentials = Exclude<SignInBody, { readonly password: string }>;

/** The user named by the credentials, for the log; they are not checked yet. */
export async function namedIn(
  db: Transaction,
  credentials: FactorCredentials,
): Promise<User | undefined> {
  const challenge = await openChallenge(db, 'sign-in', credentials.challenge);
  const userId =
    challenge?.userId ??
    ('assertion' in credentials ? await ownerOfPasskey(db, credentials.assertion.id) : undefined);
  return userId === undefined ? undefined : (await findUserById(db, userId))?.user;
}

/** @throws {ApiError} 401; 429 */
export async function proveFactor(
  database: Database,
  proofs: FactorProofs,
  credentials: FactorCredentials,
  { client, party }: { readonly client: Client; readonly party: RelyingParty },
): Promise<FactorProof> {
  if ('assertion' in credentials) return proofs.byAssertion(database, credentials, party);
  const challenge = await proofs.openSecondStep(database, credentials.challenge);
  const { userId } = challenge;
  const device = await database.read((db) => knownDeviceOf(db, userId, client));
  return proofs.byCode(database, { userId, device }, credentials.totp, challenge);
}

/**
 * Marks a proof as used, in the transaction in which the session begins.
 * @throws {ApiError} 401 if the user was disabled or has another password since the first step
 */
export async function acceptProof(db: Transaction, proof: FactorProof): Promise<User> {
  await proof.accept(db);
  const found = await findUserById(db, proof.userId);
  if (!found || found.user.disabled) throw challengeExpired();
  const { challenge } = proof;
  if (challenge && challenge.data !== passwordHashDigest(found.passwordHash)) {
    throw challengeExpired();
  }
  return found.user;
}
