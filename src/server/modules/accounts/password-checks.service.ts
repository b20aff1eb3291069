import { createHmac, randomBytes } from 'node:crypto';
import * as texts from '#messages/service/accounts.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Client, PublicRequest } from '#server/http/route.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { Refusals } from '../history/refusals.ts';
import { knownDeviceOf } from './begin-session.ts';
import { KeyedMutex } from '#server/lib/keyed-mutex.ts';
import { verifyPassword } from '../passwords/passwords.service.ts';
import { hasSessionFrom } from './sessions.store.ts';
import {
  attemptFrom,
  attemptOnDevice,
  countFailure,
  resetFailures,
  readThrottleState,
  tooManyRequests,
  type Attempt,
} from '../sign-in-throttle/sign-in-throttle.service.ts';
import { recordRefusedSignIn } from './refused-sign-in.ts';
import { findCredentials, type User } from './users.service.ts';

/** The request in which a password is sent. */
export type CheckContext = Pick<PublicRequest<unknown>, 'client' | 'call' | 'signal' | 'log'>;

interface Credentials {
  readonly username: string;
  readonly password: string;
}

interface Acceptance<Result> {
  /** for the log */
  readonly done: (result: Result) => string;
  /** runs for the user in the transaction in which the password is accepted */
  readonly accept: (db: Transaction, user: User) => Promise<Result>;
}

/** The only place where a username and a password are checked. */
export interface PasswordChecks {
  /** whether passwords are accepted */
  readonly isOn: boolean;
  /**
   * Checks a password, throttled (docs/decisions/0016-sign-in-throttling.md), and then runs `accept`.
   * @throws {ApiError} `forbidden` if passwords are disabled; `invalid_credentials`, the same for an unknown user, a
   * wrong password and a disabled user, and under `password` for an expired one-time password; `too_many_requests`;
   * `unavailable` if too many sign in, or the client has left; what `accept` throws
   */
  check<Result>(
    database: Database,
    credentials: Credentials,
    context: CheckContext,
    acceptance: Acceptance<Result>,
  ): Promise<Result>;
}

interface PasswordSettings {
  /** whether passwords are accepted; otherwise only those of administrators on the machine itself */
  readonly isOn: boolean;
  /** how long one-time passwords are valid */
  readonly oneTimePasswordDays: number;
}

/**
 * When the one-time password of a user expires, in milliseconds since 1970 UTC.
 * @param days how long one-time passwords are valid
 */
export function oneTimePasswordEnd(
  { passwordSetAt }: Pick<User, 'passwordSetAt'>,
  days: number,
): number {
  return (passwordSetAt ?? 0) + Math.round(days * 24 * 60 * 60 * 1000);
}

/** @param refusals records rejected attempts */
export function openPasswordChecks(
  { isOn, oneTimePasswordDays }: PasswordSettings,
  refusals: Refusals,
): PasswordChecks {
  const mutex = new KeyedMutex();

  const checkNow = async <Result>(
    database: Database,
    { username, password }: Credentials,
    { client, signal }: CheckContext,
    accept: Acceptance<Result>['accept'],
  ): Promise<Result> => {
    const startedAt = Date.now();
    const { user, isKnown, attempt, throttle } = await database.read(async (db) => {
      const known = await identify(db, username, client);
      return { ...known, throttle: await readThrottleState(db, known.attempt, startedAt) };
    });
    if (throttle.wait > 0) throw tooManyRequests(throttle.wait);

    const key = attempt.address ?? attempt.own;
    // Attempts from a suspect address wait instead of being rejected: users may share it with an attacker.
    const turns = { oneByOne: throttle.suspect, refusal: () => tooManyRequests(1000) };
    const right = await mutex.limited(key, turns, () =>
      verifyPassword(password, user?.passwordHash, { isKnown, key, signal }),
    );
    if (!right || !user || user.disabled) {
      throw await countFailedAttempt(database, attempt, throttle.suspect);
    }
    if (!isOn && user.role !== 'administrator') throw passwordsOff();
    if (user.mustChangePassword && startedAt >= oneTimePasswordEnd(user, oneTimePasswordDays)) {
      throw new ApiError('invalid_credentials', { password: [texts.oneTimePasswordEnded] });
    }

    return database.write(async (db) => {
      // The password or the user may have changed since the check outside the transaction.
      const current = await findCredentials(db, username);
      if (!current || current.disabled || current.passwordHash !== user.passwordHash) {
        throw invalidCredentials();
      }
      // Concurrent guesses at several processes are not serialized, so failures may have been counted since.
      const { wait } = await readThrottleState(db, attempt, startedAt);
      if (wait > 0) throw tooManyRequests(wait);
      await resetFailures(db, attempt);
      return accept(db, current);
    });
  };

  return {
    isOn,
    async check(database, credentials, context, { done, accept }) {
      const { client, call, log } = context;
      const { username } = credentials;
      const { user, attempt } = await database.read((db) => identify(db, username, client));
      const { address } = client;
      // People type passwords into the wrong field.
      const account = user
        ? { account: user.username }
        : { accountDigest: digestOfAccount(username) };
      try {
        if (!isOn && !client.isLocal) throw passwordsOff();
        // Serialized by counter, so that every failure is counted before the next attempt is checked.
        const result = await mutex.runExclusive(attempt.own, () =>
          checkNow(database, credentials, context, accept),
        );
        log.info({ ...account, address }, done(result));
        return result;
      } catch (error) {
        recordRefusedSignIn(error, refusals, { user, address, account, call, log });
        throw error;
      }
    },
  };
}

/** Counts a failed attempt. @returns the error for it */
async function countFailedAttempt(
  database: Database,
  attempt: Attempt,
  isSuspect: boolean,
): Promise<ApiError> {
  const now = Date.now();
  await countFailure(database, attempt, now);
  if (!isSuspect) return invalidCredentials();
  return tooManyRequests((await database.read((db) => readThrottleState(db, attempt, now))).wait);
}

/** The account of an attempt, and the counters of its failures. */
async function identify(db: Transaction, username: string, client: Client) {
  const user = await findCredentials(db, username);
  const deviceHash = user && (await knownDeviceOf(db, user.id, client));
  const attempt = deviceHash
    ? attemptOnDevice(deviceHash)
    : attemptFrom(nameKey(username), client.address);
  const isKnown =
    client.isKnown ||
    deviceHash !== undefined ||
    // For an unknown user there is no hash, but the check takes equally long.
    (await hasSessionFrom(db, user?.id ?? 0, client.address));
  return { user, isKnown, attempt };
}

/** Secret, so that readers of the log cannot test names against digests. */
const digestKey = randomBytes(32);

/** A digest of an unknown account name for the log; equal for equal names during the life of the process. */
function digestOfAccount(username: string): string {
  return createHmac('sha256', digestKey).update(nameKey(username)).digest('base64url').slice(0, 16);
}

/** The error for a password if passwords are disabled. */
export function passwordsOff(): ApiError {
  return new ApiError('forbidden', texts.passwordsOff);
}

function invalidCredentials(): ApiError {
  return new ApiError('invalid_credentials', texts.credentialsWrong);
}
