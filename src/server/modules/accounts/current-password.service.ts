import type { Database, Transaction } from '#server/database/database.ts';
import type { Caller } from '#server/http/route.ts';
import type { Refusals } from '../history/refusals.ts';
import { KeyedMutex } from '#server/lib/keyed-mutex.ts';
import { verifyPassword } from '../passwords/passwords.service.ts';
import {
  attemptInSession,
  countFailure,
  resetFailures,
  readThrottleState,
  tooManyRequests,
} from '../sign-in-throttle/sign-in-throttle.service.ts';
import { findCredentials } from './users.service.ts';

interface CheckedPassword {
  readonly isRight: boolean;
  /** whether it was generated, and the user must choose another one */
  readonly mustChange: boolean;
  /** whether it is correct and still valid, in the transaction that depends on it */
  accept(db: Transaction): Promise<boolean>;
}

/** Checks the password of a user who is signed in, throttled by session. */
export interface CurrentPasswords {
  /** @throws {ApiError} 429 */
  check(
    database: Database,
    caller: Caller,
    call: string,
    password: string,
  ): Promise<CheckedPassword>;
}

/** @param refusals receives wrong passwords, and attempts after too many of them */
export function openCurrentPasswords(refusals: Refusals): CurrentPasswords {
  // In sequence, so that concurrent guesses are counted like successive ones.
  const mutex = new KeyedMutex();
  return {
    check(database, caller, call, password) {
      const attempt = attemptInSession(caller.sessionId);
      return mutex.runExclusive(attempt.own, async () => {
        const { user, throttle } = await database.read(async (db) => ({
          user: await findCredentials(db, caller.username),
          throttle: await readThrottleState(db, attempt, Date.now()),
        }));
        const refuse = (reason: string) =>
          refusals.add({ user: caller, address: caller.address, call, reason });
        if (throttle.wait > 0) {
          const refusal = tooManyRequests(throttle.wait);
          refuse(refusal.code);
          throw refusal;
        }
        const isRight = await verifyPassword(password, user?.passwordHash, {
          isKnown: true,
          key: attempt.own,
        });
        if (!isRight) {
          await countFailure(database, attempt, Date.now());
          refuse('invalid_credentials');
        }
        return {
          isRight,
          mustChange: user?.mustChangePassword === true,
          async accept(db) {
            const current = await findCredentials(db, caller.username);
            if (!isRight || current?.passwordHash !== user?.passwordHash) return false;
            await resetFailures(db, attempt);
            return true;
          },
        };
      });
    },
  };
}
