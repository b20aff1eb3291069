import * as texts from '#messages/service/factors.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { PasskeyAssertion } from '#shared/contract/factor-requests.ts';
import type { FactorKind, SecondFactorPrompt } from '#shared/contract/factors.ts';
import { KeyedMutex } from '#server/lib/keyed-mutex.ts';
import {
  attemptWithCode,
  countFailure,
  resetFailures,
  readThrottleState,
  tooManyRequests,
  type Attempt,
} from '../sign-in-throttle/sign-in-throttle.service.ts';
import {
  challengeExpired,
  newChallenge,
  openChallenge,
  useChallenge,
  type Challenge,
} from './challenges.ts';
import { passwordHashDigest, listFactors, readTotpSecret } from './factors.service.ts';
import * as store from './factors.store.ts';
import { requestOptions, verifyAssertion } from './passkeys.ts';
import { digestRecoveryCode, readRecoveryCode } from './recovery-codes.ts';
import type { RelyingParty } from './relying-party.ts';
import { stepOfCode } from './totp.ts';

/** A verified factor. */
export interface FactorProof {
  readonly userId: number;
  /** the user and the password of the first step; null: a passkey alone, which needs none */
  readonly challenge: Challenge | null;
  /**
   * Marks it as used, in the transaction of what it permits.
   * @throws {ApiError} 401 if it was used since
   */
  accept(db: Transaction): Promise<void>;
}

/** The user with the verified password. */
interface Credentials {
  readonly user: { readonly id: number };
  readonly passwordHash: string;
}

/** The user and browser of a typed code. */
interface CodeSource {
  readonly userId: number;
  /** of the device cookie, if the user has signed in from the browser before */
  readonly device: string | undefined;
}

/** An authenticator app shows six digits; other input may be a recovery code. */
const TOTP_CODE = /^\s*\d{3}\s?\d{3}\s*$/;

/** Verifies proofs of second factors. */
export class FactorProofs {
  // In sequence, so that concurrent guesses are counted like successive ones.
  readonly #mutex = new KeyedMutex();

  /**
   * The second step of a sign-in after the correct password of a user with a factor.
   * @param passwordHash a new password invalidates the challenge
   */
  async prompt(
    db: Transaction,
    { user: { id }, passwordHash }: Credentials,
    party: RelyingParty,
  ): Promise<SecondFactorPrompt> {
    const kinds = new Set((await listFactors(db, id)).map(({ kind }) => kind));
    const factors: FactorKind[] = [...kinds];
    const data = passwordHashDigest(passwordHash);
    const challenge = await newChallenge(db, 'sign-in', { userId: id, data });
    if (!kinds.has('passkey')) return { factors, challenge };
    const passkeys = await store.readPasskeys(db, id);
    const publicKey = { ...(await requestOptions(party, challenge, passkeys)) };
    return { factors, challenge, publicKey };
  }

  /** For a proof by any passkey of this site. */
  async passkeyChallenge(db: Transaction, party: RelyingParty) {
    const challenge = await newChallenge(db, 'passkey', { userId: null, data: '' });
    return { challenge, publicKey: await requestOptions(party, challenge) };
  }

  /**
   * Checks a code of an authenticator app or a recovery code. Wrong codes in unknown browsers are counted per account,
   * whatever their addresses; those in a known browser, recovery codes and passkeys have separate counters, so that
   * someone who knows the password cannot lock the user out.
   * @throws {ApiError} 401 under `totp`; 429
   */
  async byCode(
    database: Database,
    { userId, device }: CodeSource,
    typed: string,
    challenge: Challenge | null = null,
  ): Promise<FactorProof> {
    const isTotp = TOTP_CODE.test(typed);
    const attempt = attemptWithCode(userId, isTotp ? 'totp' : 'recovery', device);
    return this.#mutex.runExclusive(attempt.own, async () => {
      const { wait } = await database.read((db) => readThrottleState(db, attempt, Date.now()));
      if (wait > 0) throw tooManyRequests(wait);
      try {
        const use = isTotp
          ? await useOfTotp(database, userId, typed.replaceAll(/\s/g, ''))
          : await useOfRecoveryCode(database, userId, typed);
        return { userId, challenge, accept: (db) => accept(db, { challenge, attempt, use }) };
      } catch (error) {
        if (error instanceof ApiError) await countFailure(database, attempt, Date.now());
        throw error;
      }
    });
  }

  /**
   * Checks the signature of a passkey.
   * @param userId the user of the passkey; null: any user
   * @throws {ApiError} 401 under `challenge` or `assertion`
   */
  async byAssertion(
    database: Database,
    {
      challenge: text,
      assertion,
    }: { readonly challenge: string; readonly assertion: PasskeyAssertion },
    party: RelyingParty,
    userId: number | null = null,
  ): Promise<FactorProof> {
    const { second, alone, passkey } = await database.read(async (db) => ({
      second: await openChallenge(db, 'sign-in', text),
      alone: await openChallenge(db, 'passkey', text),
      passkey: await store.readPasskey(db, assertion.id),
    }));
    const challenge = second ?? alone;
    if (!challenge) throw challengeExpired();
    const expected = userId ?? second?.userId ?? passkey?.userId;
    if (!passkey || passkey.userId !== expected) throw passkeyWrong();
    // The challenge after the password of another user.
    if (second && second.userId !== expected) throw passkeyWrong();
    const after = await verifyAssertion(party, text, passkey, assertion);
    if (after === null) throw passkeyWrong();
    const use: Use = async (db) => {
      const counter = { before: passkey.counter, after };
      if (!(await store.advancePasskey(db, passkey.factorId, counter, Date.now()))) {
        throw passkeyWrong();
      }
    };
    return {
      userId: passkey.userId,
      challenge: second ?? null,
      accept: (db) => accept(db, { challenge, attempt: null, use }),
    };
  }

  /** @throws {ApiError} 401 if the challenge of a first step has expired */
  async openSecondStep(
    database: Database,
    text: string,
  ): Promise<Challenge & { readonly userId: number }> {
    const challenge = await database.read((db) => openChallenge(db, 'sign-in', text));
    if (!challenge || challenge.userId === null) throw challengeExpired();
    return { ...challenge, userId: challenge.userId };
  }
}

/** Marks a factor as used. @throws {ApiError} 401 if it was used since */
type Use = (db: Transaction) => Promise<void>;

async function accept(
  db: Transaction,
  {
    challenge,
    attempt,
    use,
  }: { readonly challenge: Challenge | null; readonly attempt: Attempt | null; readonly use: Use },
): Promise<void> {
  if (challenge) await useChallenge(db, challenge);
  await use(db);
  if (attempt) await resetFailures(db, attempt);
}

async function useOfTotp(database: Database, userId: number, code: string): Promise<Use> {
  const totp = await database.read((db) => readTotpSecret(db, userId));
  const step = totp && stepOfCode(totp.secret, code);
  if (!totp || typeof step !== 'number') throw refused(texts.codeWrong);
  if (step <= totp.lastStep) throw refused(texts.codeUsed);
  return async (db) => {
    if (!(await store.advanceTotp(db, userId, step, Date.now()))) throw refused(texts.codeUsed);
  };
}

async function useOfRecoveryCode(database: Database, userId: number, typed: string): Promise<Use> {
  const code = readRecoveryCode(typed);
  const codes = code && (await database.read((db) => store.readRecoveryCodes(db, userId)));
  if (!code || !codes) throw refused(texts.codeWrong);
  const digest = await digestRecoveryCode(code, codes.salt);
  if (!codes.digests.includes(digest)) throw refused(texts.codeWrong);
  return async (db) => {
    if (!(await store.deleteRecoveryCode(db, userId, digest))) throw refused(texts.codeUsed);
  };
}

function refused(message: typeof texts.codeWrong): ApiError {
  return new ApiError('invalid_credentials', { totp: [message] });
}

function passkeyWrong(): ApiError {
  return new ApiError('invalid_credentials', { assertion: [texts.passkeyWrong] });
}
