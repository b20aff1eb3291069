import * as texts from '#messages/service/accounts.ts';
import { hash } from 'node:crypto';
import type { Database, Transaction } from '#server/database/database.ts';
import { deleteRowsBefore } from '#server/database/expired-rows.ts';
import { networkOf } from '#server/lib/networks.ts';
import { ApiError } from '#shared/contract/errors.ts';
import * as store from './sign-in-failures.store.ts';
import type { FailureCount } from './sign-in-failures.store.ts';

/* Slows down password guesses without locking anyone out, see docs/decisions/0016-sign-in-throttling.md. */

/** Failures of one account from one address before attempts are delayed. */
const FREE_ATTEMPTS = 5;
/** The same for a suspect address. */
const FREE_ATTEMPTS_FROM_SUSPECT = 1;
const MAX_WAIT = 60_000;
/** Six digits are guessed much sooner than a password, and only people who know the password can try. */
const MAX_WAIT_FOR_CODES = 15 * 60_000;
/** Failures of an account from one address expire after this time without a failure. */
const FAILURE_LIFETIME = 60 * 60_000;

/** An address is suspect from this number of failures on, with any accounts. */
const ADDRESS_LIMIT = 30;
/** One failure of an address is forgiven in this time. */
const ADDRESS_DECAY_INTERVAL = 30_000;

/** The consequence of earlier failures for the next attempt. */
interface ThrottleState {
  /** milliseconds until the next attempt is checked */
  readonly wait: number;
  /** whether the address is suspect, so that each further failure is answered 429 */
  readonly suspect: boolean;
}

/** The keys under which failures are counted; only digests, because people type passwords into wrong fields. */
export interface Attempt {
  readonly own: string;
  /** null: a known browser, whose failures do not count against its address */
  readonly address: string | null;
  /** milliseconds, after many failures */
  readonly longestWait: number;
}

/** A sign-in to an account from an address, in an unknown browser. */
export function attemptFrom(account: string, address: string): Attempt {
  const network = networkOf(address);
  return {
    own: digest('account', account, network),
    address: digest('address', network),
    longestWait: MAX_WAIT,
  };
}

/** A sign-in in a browser in which the user has signed in before. */
export function attemptOnDevice(deviceHash: string): Attempt {
  return { own: digest('device', deviceHash), address: null, longestWait: MAX_WAIT };
}

/** A check of the current password in a session. */
export function attemptInSession(sessionId: string): Attempt {
  return { own: digest('session', sessionId), address: null, longestWait: MAX_WAIT };
}

/**
 * A code of a second factor, after the correct password.
 * @param deviceHash a browser in which the user has signed in before, which has a separate counter; undefined: all
 * other browsers share one counter, whatever their addresses
 */
export function attemptWithCode(
  userId: number,
  kind: 'totp' | 'recovery',
  deviceHash: string | undefined,
): Attempt {
  const own = digest('code', kind, String(userId), deviceHash ?? '');
  return { own, address: null, longestWait: MAX_WAIT_FOR_CODES };
}

export async function readThrottleState(
  db: Transaction,
  attempt: Attempt,
  now: number,
): Promise<ThrottleState> {
  const counts = await store.readFailures(db, keysOf(attempt));
  const suspect =
    attempt.address !== null && addressFailures(counts.get(attempt.address), now) >= ADDRESS_LIMIT;
  return { wait: waitAfter(counts.get(attempt.own), attempt, suspect, now), suspect };
}

/** Counts a failed attempt. */
export async function countFailure(
  database: Database,
  attempt: Attempt,
  now: number,
): Promise<void> {
  await database.write(async (db) => {
    const counts = await store.readFailures(db, keysOf(attempt));
    await store.writeFailures(db, attempt.own, ownFailures(counts.get(attempt.own), now) + 1, now);
    if (attempt.address !== null) {
      const before = counts.get(attempt.address);
      const failures = addressFailures(before, now);
      // Keeps the elapsed part of the interval; otherwise frequent failures would never expire.
      const passed = before && failures > 0 ? (now - before.lastAt) % ADDRESS_DECAY_INTERVAL : 0;
      await store.writeFailures(db, attempt.address, failures + 1, now - Math.max(0, passed));
    }
  });
}

/** Resets an account's failures after the correct password. Those of the address stay: an attacker's own account must not reset them. */
export async function resetFailures(db: Transaction, attempt: Attempt): Promise<void> {
  await store.deleteFailures(db, attempt.own);
}

/** Removes expired counters. */
export function deleteOldFailures(database: Database): Promise<void> {
  return deleteRowsBefore(database, 'sign_in_failures', Date.now() - FAILURE_LIFETIME);
}

/** @param wait milliseconds */
export function tooManyRequests(wait: number): ApiError {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return new ApiError('too_many_requests', texts.tooManyAttempts({ seconds }), {
    retryAfter: seconds,
  });
}

function keysOf(attempt: Attempt): string[] {
  return attempt.address === null ? [attempt.own] : [attempt.own, attempt.address];
}

function ownFailures(count: FailureCount | undefined, now: number): number {
  return count && now - count.lastAt < FAILURE_LIFETIME ? count.failures : 0;
}

function addressFailures(count: FailureCount | undefined, now: number): number {
  if (!count) return 0;
  const forgiven = Math.floor(Math.max(0, now - count.lastAt) / ADDRESS_DECAY_INTERVAL);
  return Math.max(0, count.failures - forgiven);
}

function waitAfter(
  count: FailureCount | undefined,
  { longestWait }: Attempt,
  suspect: boolean,
  now: number,
): number {
  const beyond = ownFailures(count, now) - (suspect ? FREE_ATTEMPTS_FROM_SUSPECT : FREE_ATTEMPTS);
  if (!count || beyond < 0) return 0;
  const whole = Math.min(1000 * 2 ** Math.min(beyond, 16), longestWait);
  return Math.max(0, count.lastAt + whole - now);
}

function digest(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
