import * as texts from '#messages/service/access-tokens.ts';
import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Client } from '#server/http/route.ts';
import type { SignedIn } from '#server/http/service.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { TokenScope } from '#shared/rules/rights.ts';
import type { SecondFactorPolicy } from '#shared/rules/second-factor.ts';
import type { Refusals } from '../audit/refusals.ts';
import type { Actor } from '../history/history.service.ts';
import { recordToken } from './access-token-rows.service.ts';
import * as store from './access-tokens.store.ts';
import type { StoredToken } from './access-tokens.store.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { requirePasswordAlone } from './password-alone.service.ts';
import { passwordsOff, type CheckContext, type PasswordChecks } from './password-checks.service.ts';
import { hashToken, newToken } from './tokens.ts';

/** The prefix by which secret scanners recognise a token. */
const BEGINNING = 'idx_';
/** The number of characters that are stored in plain text, for the owner to recognise the token. */
const PREFIX_LENGTH = BEGINNING.length + 4;
/** How often the last use of a token is stored, in milliseconds. */
const SEEN_EVERY = 60_000;
const MAX_NAMED = 100;
/** Further ones end the oldest, because programs get a new token for each run. */
const MAX_BY_PASSWORD = 50;
/** The name of tokens that are created with a username and a password. */
const BY_PASSWORD = 'POST application/tokens';

/** The properties of a new token. */
interface NewToken {
  readonly name: string;
  readonly scope: TokenScope;
  /** milliseconds since 1970 UTC */
  readonly expiresAt: number;
}

interface MadeToken {
  readonly token: StoredToken;
  /** what is sent in the `Authorization` header; only its hash is stored */
  readonly secret: string;
}

/** Tokens by which programs call the service on behalf of a user (docs/interface/administration.md, section 6). */
export interface AccessTokens {
  /** The valid token, unless its owner is disabled; an invalid one is counted as a refusal. */
  find(db: Transaction, secret: string, client: Client): Promise<SignedIn | undefined>;
  /** Stores the use of a token, unless this was done recently; the first use is an entry of the history. */
  seen(database: Database, token: SignedIn, use: Pick<Actor, 'address' | 'call'>): Promise<void>;
  /**
   * Creates a token with all rights of a user, by the password.
   * @param lifetime seconds
   * @throws {ApiError} as `PasswordChecks.check`; 403 for a user for whom a password alone is not enough
   */
  makeByPassword(
    database: Database,
    credentials: { readonly username: string; readonly password: string },
    lifetime: number,
    client: Client,
    context: CheckContext,
  ): Promise<string>;
  /** @throws {ApiError} 422 if the user has too many, or the expiry is in the past */
  make(db: Transaction, userId: number, token: NewToken, actor: Actor): Promise<MadeToken>;
  /** The tokens of a user, newest first. */
  list(db: Transaction, userId: number): Promise<StoredToken[]>;
  /** @throws {ApiError} 404 if the user has no such token */
  revoke(db: Transaction, userId: number, tokenId: string, actor: Actor): Promise<void>;
  /** Removes expired tokens. */
  sweep(database: Database): Promise<void>;
}

/**
 * @param policy who must have a second factor
 * @param refusals records rejected tokens
 */
export function openAccessTokens(
  passwords: PasswordChecks,
  policy: SecondFactorPolicy,
  refusals: Refusals,
): AccessTokens {
  const mutex = new KeyedMutex();

  const insert = async (
    db: Transaction,
    userId: number,
    { name, scope, expiresAt }: NewToken,
    actor: Actor,
  ): Promise<MadeToken> => {
    const secret = BEGINNING + newToken();
    const createdAt = Date.now();
    const token: StoredToken = {
      id: randomUUID(),
      userId,
      name,
      prefix: secret.slice(0, PREFIX_LENGTH),
      scope,
      createdAt,
      expiresAt,
      lastUsedAt: null,
    };
    await store.insertToken(db, token, hashToken(secret));
    await recordToken(db, actor, token, 'create', createdAt);
    return { token, secret };
  };

  const revoke = async (db: Transaction, userId: number, id: string, actor: Actor) => {
    const revoked = await store.deleteTokens(db, userId, id);
    for (const token of revoked) await recordToken(db, actor, token, 'delete', Date.now());
    return revoked.length > 0;
  };

  return {
    async find(db, secret, { address }) {
      const found = await store.readByHash(db, hashToken(secret), Date.now());
      // A token has too many bits to be guessed, so guesses are not throttled.
      if (!found) refusals.add({ user: null, address, call: 'token', reason: 'unauthenticated' });
      return (
        found && {
          ...found,
          publicId: found.id,
          viewer: null,
          secondFactorEnrolmentRequired: false,
        }
      );
    },
    async seen(database, { id, userId, username, lastSeenAt }, use) {
      const now = Date.now();
      if (now - lastSeenAt < SEEN_EVERY) return;
      await mutex.once(id, async () => {
        await database.write(async (db) => {
          const first = await store.storeUse(db, id, now);
          if (first) await recordToken(db, { userId, username, ...use }, first, 'change', now);
        });
      });
    },
    async makeByPassword(database, credentials, lifetime, client, context) {
      const { call } = context;
      const { secret } = await passwords.check(database, credentials, client, context, {
        done: () => 'token made',
        async accept(db, user) {
          if (!passwords.isOn) throw passwordsOff();
          await requirePasswordAlone(db, user, policy);
          const actor = { userId: user.id, username: user.username, address: client.address, call };
          const others = await store.readTokensOf(db, user.id);
          const older = others.filter(({ name }) => name === BY_PASSWORD);
          for (const { id } of older.slice(MAX_BY_PASSWORD - 1)) {
            await revoke(db, user.id, id, actor);
          }
          const scope = { right: 'manage', only: null, configuration: false } as const;
          const expiresAt = Date.now() + lifetime * 1000;
          return insert(db, user.id, { name: BY_PASSWORD, scope, expiresAt }, actor);
        },
      });
      return secret;
    },
    async make(db, userId, token, actor) {
      if (token.expiresAt <= Date.now()) {
        throw new ApiError('validation_failed', { 'token.expiresAt': [texts.alreadyExpired] });
      }
      const others = await store.readTokensOf(db, userId);
      if (others.filter(({ name }) => name !== BY_PASSWORD).length >= MAX_NAMED) {
        throw new ApiError('validation_failed', texts.tooMany({ max: MAX_NAMED }));
      }
      return insert(db, userId, token, actor);
    },
    list: (db, userId) => store.readTokensOf(db, userId),
    async revoke(db, userId, tokenId, actor) {
      // PostgreSQL's text cannot contain NUL, so no token has it.
      const isKnown = !tokenId.includes('\u0000') && (await revoke(db, userId, tokenId, actor));
      if (!isKnown) throw new ApiError('not_found', texts.noToken);
    },
    async sweep(database) {
      const now = Date.now();
      const expired = await database.read((db) => store.readExpiredTokens(db, now));
      if (expired.length === 0) return;
      await database.write(async (db) => {
        for (const { id, userId, username } of expired) {
          await revoke(db, userId, id, { userId, username, address: null, call: 'token expired' });
        }
      });
    },
  };
}
