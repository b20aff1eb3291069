import * as valuesTexts from '#messages/values.ts';
import type { Message } from '#shared/messages/message.ts';
import * as texts from '#messages/service/accounts.ts';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError } from '#shared/contract/errors.ts';
import { MIN_PASSWORD_LENGTH } from '#shared/rules/passwords.ts';
import { countCodePoints } from '#shared/values/code-points.ts';
import { argon2id, COST, type Cost, type HashingClient } from './argon2.ts';
import { isCommonPassword } from './common-passwords.ts';
import { isOfContextWords } from './context-words.ts';

/** A limit, because hashing longer passwords only takes time. */
const MAX_PASSWORD_LENGTH = 1_000;

const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** The stored form of a password: Argon2id in PHC string format. */
export interface PasswordHash {
  readonly phc: string;
}

/** The stored form of no password: no typed password matches it. */
export const NO_PASSWORD: PasswordHash = { phc: '' };

/**
 * Why a password is not acceptable; null: it is
 * (docs/interface/decisions.md, section 2: at least 10 characters and not a common one).
 */
export async function passwordProblem(password: string, username: string): Promise<Message | null> {
  if (!password.isWellFormed()) return valuesTexts.hasHalfCharacter;
  const length = countCodePoints(password, MAX_PASSWORD_LENGTH);
  if (length < MIN_PASSWORD_LENGTH) {
    return texts.passwordTooShort({ min: MIN_PASSWORD_LENGTH });
  }
  if (length > MAX_PASSWORD_LENGTH) {
    return texts.passwordTooLong({ max: MAX_PASSWORD_LENGTH });
  }
  if (password.toLowerCase() === username.toLowerCase()) {
    return texts.passwordIsUsername;
  }
  const isGuessed = isOfContextWords(password) || (await isCommonPassword(password));
  return isGuessed ? texts.passwordTooCommon : null;
}

/**
 * Hashes a new password. Takes tens of milliseconds, so it runs before the transaction that stores it.
 * @throws {ApiError} 422 under `password` if it is not acceptable; `unavailable` if too many wait
 */
export async function hashPassword(password: string, username: string): Promise<PasswordHash> {
  const problem = await passwordProblem(password, username);
  if (problem !== null) throw new ApiError('validation_failed', { password: [problem] });
  const salt = randomBytes(SALT_BYTES);
  return toPhc(COST, salt, await argon2id(password, salt, COST, TAG_BYTES));
}

/**
 * Whether a password has this hash. Without a hash (an unknown user, or one without a password) it takes the same time and returns false.
 * @throws {ApiError} `unavailable` if too many wait, or the client has left
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  client?: HashingClient,
): Promise<boolean> {
  const isMissing = hash === undefined || hash === NO_PASSWORD.phc;
  const stored = isMissing ? DUMMY : readPhc(hash);
  // Impossible passwords are hashed too, so that they take equally long.
  const tag = await argon2id(
    password.slice(0, 4 * MAX_PASSWORD_LENGTH),
    stored.salt,
    stored.cost,
    stored.tag.length,
    client,
  );
  const equal = timingSafeEqual(tag, stored.tag);
  return equal && !isMissing && password.length <= 4 * MAX_PASSWORD_LENGTH;
}

interface Stored {
  readonly cost: Cost;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

const DUMMY: Stored = { cost: COST, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) };

function toPhc({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): PasswordHash {
  return {
    phc: `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`,
  };
}

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

function readPhc(text: string): Stored {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(text) ?? [];
  if (!tag) throw new Error('A stored password hash is not in the form that this version writes.');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** A slow digest of a secret; equal for equal salts (16 bytes or more). */
export async function slowDigest(secret: Buffer, salt: Buffer): Promise<string> {
  return (await argon2id(secret, salt, COST, TAG_BYTES)).toString('base64url');
}
