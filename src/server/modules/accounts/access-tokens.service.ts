import * as texts from '#messages/service/http.ts';
import * as factorTexts from '#messages/service/factors.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Client } from '#server/http/route.ts';
import type { SignedIn } from '#server/http/http-services.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { isFactorRequired, type SecondFactorPolicy } from '#shared/rules/second-factor.ts';
import { hasFactor } from '../factors/factors.service.ts';
import type { Refusals } from '../history/refusals.ts';
import type { Actor } from '../history/history.service.ts';
import {
  BY_PASSWORD,
  lifetimeProblem,
  createToken,
  recordToken,
  revokeToken,
  revokeTokens,
} from './stored-access-tokens.ts';
import * as store from './access-tokens.store.ts';
import { KeyedMutex } from '#server/lib/keyed-mutex.ts';
import type { User } from './users.service.ts';
import { passwordsOff, type CheckContext, type PasswordChecks } from './password-checks.service.ts';
import { excessSignIns } from './sign-in-limit.ts';
import { hashToken } from './tokens.ts';

/** How often the last use of a token is stored, in milliseconds. */
const USE_RECORDING_INTERVAL = 60_000;

/** Tokens by which programs call the service on behalf of a user (docs/interface/administration.md, section 6). */
export interface AccessTokens {
  /** The valid token, unless its owner is disabled; an invalid one is counted as a refusal. */
  find(db: Transaction, secret: string, client: Client): Promise<SignedIn | undefined>;
  /** Stores the use of a token, unless this was done recently; the first use is an entry of the history. */
  recordUse(
    database: Database,
    token: SignedIn,
    use: Pick<Actor, 'address' | 'call'>,
  ): Promise<void>;
  /**
   * Creates a token with all rights of a user, by the password.
   * @param lifetime seconds
   * @throws {ApiError} as `PasswordChecks.check`; 422 for a lifetime that is too long here; 403 for a user for whom a
   * password alone is not enough
   */
  makeByPassword(
    database: Database,
    credentials: { readonly username: string; readonly password: string },
    lifetime: number,
    context: CheckContext,
  ): Promise<string>;
  /** Removes expired tokens. */
  sweep(database: Database): Promise<void>;
}

/**
 * @param policy who must have a second factor
 * @param lifeDays how long new tokens may be valid at most; undefined: no limit
 * @param refusals records rejected tokens
 */
export function openAccessTokens(
  passwords: PasswordChecks,
  policy: SecondFactorPolicy,
  lifeDays: number | undefined,
  refusals: Refusals,
): AccessTokens {
  const mutex = new KeyedMutex();

  return {
    async find(db, secret, { address }) {
      const found = await store.readByHash(db, hashToken(secret), Date.now());
      // A token has too many bits to be guessed, so guesses are not throttled.
      if (!found) refusals.add({ user: null, address, call: 'token', reason: 'unauthenticated' });
      const owned = { viewer: null, secondFactorEnrolmentRequired: false };
      return found && { ...found, ...owned, publicId: found.id };
    },
    async recordUse(database, { id, userId, username, lastSeenAt }, use) {
      const now = Date.now();
      if (now - lastSeenAt < USE_RECORDING_INTERVAL) return;
      await mutex.once(id, async () => {
        await database.write(async (db) => {
          const first = await store.storeUse(db, id, now);
          if (first) await recordToken(db, { userId, username, ...use }, first, 'change', now);
        });
      });
    },
    async makeByPassword(database, credentials, lifetime, context) {
      const { client, call } = context;
      const problem = lifetimeProblem(Date.now() + lifetime * 1000, lifeDays);
      if (problem) throw new ApiError('validation_failed', { lifetime: [problem] });
      const { secret } = await passwords.check(database, credentials, context, {
        done: () => 'token made',
        async accept(db, user) {
          if (!passwords.isOn) throw passwordsOff();
          await requirePasswordAlone(db, user, policy);
          const actor = { userId: user.id, username: user.username, address: client.address, call };
          const scope = { right: 'manage', only: null, configuration: false } as const;
          const expiresAt = Date.now() + lifetime * 1000;
          const token = { name: BY_PASSWORD, scope, expiresAt };
          const created = await createToken(db, user.id, token, actor);
          const byPassword = (await store.readTokensOf(db, user.id))
            .filter(({ name }) => name === BY_PASSWORD)
            .map(({ id, createdAt, lastUsedAt }) => ({ id, usedAt: lastUsedAt ?? createdAt }));
          for (const { id } of excessSignIns(byPassword)) {
            await revokeToken(db, user.id, id, actor);
          }
          return created;
        },
      });
      return secret;
    },
    async sweep(database) {
      const now = Date.now();
      const expired = await database.read((db) => store.readExpiredTokens(db, now));
      if (expired.length === 0) return;
      await database.write(async (db) => {
        for (const { id, userId, username } of expired) {
          const actor = { userId, username, address: null, call: 'token expired' };
          await revokeTokens(db, userId, actor, id);
        }
      });
    },
  };
}

/**
 * Checks that a correct password alone is enough to get a token (docs/interface/administration.md, section 6).
 * @throws {ApiError} 403 if it is not
 */
async function requirePasswordAlone(
  db: Transaction,
  user: User,
  policy: SecondFactorPolicy,
): Promise<void> {
  if (user.mustChangePassword) {
    throw new ApiError('password_change_required', texts.passwordChangeRequired);
  }
  if (isFactorRequired(policy, user.role) || (await hasFactor(db, user.id))) {
    throw new ApiError('forbidden', factorTexts.passwordNotEnough);
  }
}
