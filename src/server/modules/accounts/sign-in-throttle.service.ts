import { createHash } from 'node:crypto';
import type { Database, Transaction } from '#server/database/database.ts';
import { networkOf } from '#server/http/load-shedding/networks.ts';
import { ApiError } from '#shared/errors.ts';
import * as store from './sessions.store.ts';
import type { FailureCount } from './sessions.store.ts';

/*
 * Guessing a password is made slow without letting anybody keep another person out; the reasons are in
 * docs/decisions/0016-sign-in-throttling.md.
 */

/** Failures without a wait, of one account from one address. */
const FREE = 5;
/** The same where the address has failed too often, with whatever accounts. */
const FREE_FROM_SUSPECT = 1;
const LONGEST_WAIT = 60_000;
/** After so long without a failure an account's failures from one address are forgotten. */
const FORGET_AFTER = 60 * 60_000;

/** Failures from one address, with whatever accounts, from which on it is suspect. */
const ADDRESS_LIMIT = 30;
/** One failure of an address is forgiven in this time. */
const ADDRESS_FORGIVES_EVERY = 30_000;

/** What the failures so far mean for the next attempt. */
export interface Standing {
  /** milliseconds until the next attempt is looked at */
  readonly wait: number;
  /** whether so many failures came from the address that each further one is answered 429 */
  readonly suspect: boolean;
}

/** Who attempts, as failures are counted; only digests are stored, as people type passwords into wrong fields. */
export interface Attempt {
  readonly own: string;
  /** null: a known browser, whose failures do not count against its address */
  readonly address: string | null;
}

/** An attempt to sign in to an account from an address, from a browser that is not known. */
export function attemptFrom(account: string, address: string): Attempt {
  const network = networkOf(address);
  return { own: digest('account', account, network), address: digest('address', network) };
}

/** An attempt from a browser from which the user has signed in before. */
export function attemptOnDevice(deviceHash: string): Attempt {
  return { own: digest('device', deviceHash), address: null };
}

/** An attempt to give the current password within a session. */
export function attemptInSession(sessionId: string): Attempt {
  return { own: digest('session', sessionId), address: null };
}

export async function standingOf(
  db: Transaction,
  attempt: Attempt,
  now: number,
): Promise<Standing> {
  const counts = await store.readFailures(db, keysOf(attempt));
  const suspect =
    attempt.address !== null && addressFailures(counts.get(attempt.address), now) >= ADDRESS_LIMIT;
  return { wait: waitAfter(counts.get(attempt.own), suspect, now), suspect };
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
      // Part of the time to the next forgiving may have passed; many at one address would never be forgiven.
      const passed = before && failures > 0 ? (now - before.lastAt) % ADDRESS_FORGIVES_EVERY : 0;
      await store.writeFailures(db, attempt.address, failures + 1, now - Math.max(0, passed));
    }
  });
}

/** Forgets an account's failures after the right password; its address's stay, or one's own account would clear them. */
export async function forgive(db: Transaction, attempt: Attempt): Promise<void> {
  await store.forgetFailures(db, attempt.own);
}

/** Whether there are counters that no longer mean anything. */
export function hasOldFailures(db: Transaction, now: number): Promise<boolean> {
  return store.hasOldFailures(db, now - FORGET_AFTER);
}

/** Removes counters that no longer mean anything. */
export async function forgetOldFailures(db: Transaction, now: number): Promise<void> {
  await store.forgetOldFailures(db, now - FORGET_AFTER);
}

/** @param wait milliseconds */
export function tooManyRequests(wait: number): ApiError {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  const unit = seconds === 1 ? 'second' : 'seconds';
  return new ApiError(
    'too_many_requests',
    `There were too many failed attempts. Try again in ${seconds} ${unit}.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

function keysOf(attempt: Attempt): string[] {
  return attempt.address === null ? [attempt.own] : [attempt.own, attempt.address];
}

function ownFailures(count: FailureCount | undefined, now: number): number {
  return count && now - count.lastAt < FORGET_AFTER ? count.failures : 0;
}

function addressFailures(count: FailureCount | undefined, now: number): number {
  if (!count) return 0;
  const forgiven = Math.floor(Math.max(0, now - count.lastAt) / ADDRESS_FORGIVES_EVERY);
  return Math.max(0, count.failures - forgiven);
}

function waitAfter(count: FailureCount | undefined, suspect: boolean, now: number): number {
  const beyond = ownFailures(count, now) - (suspect ? FREE_FROM_SUSPECT : FREE);
  if (!count || beyond < 0) return 0;
  const whole = Math.min(1000 * 2 ** Math.min(beyond, 16), LONGEST_WAIT);
  return Math.max(0, count.lastAt + whole - now);
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
