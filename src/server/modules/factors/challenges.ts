import { hash } from 'node:crypto';
import * as z from 'zod';
import * as texts from '#messages/service/factors.ts';
import type { Transaction } from '#server/database/database.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { insertUsedChallenge } from './factors.store.ts';
import { readSealer } from './sealing.ts';

/* A challenge contains its purpose, encrypted, so that nothing is stored until it was answered: unauthenticated
   clients that request challenges fill no table, and every process can check one. */

/** Milliseconds from a challenge to its answer. */
const LIFETIME = 5 * 60_000;

/**
 * `sign-in`: the second step after a password; `passkey`: a passkey alone, of any user; `totp enrolment`, `passkey
 * enrolment`: a new factor of a user.
 */
type Purpose = 'sign-in' | 'passkey' | 'totp enrolment' | 'passkey enrolment';

const contentSchema = z.strictObject({
  /** null: not known yet */
  userId: z.int().nullable(),
  expiresAt: z.int(),
  /** a digest of the correct password, or the secret of an authenticator app */
  data: z.string(),
});

interface Content {
  readonly userId: number | null;
  readonly data: string;
}

/** A valid challenge that was returned by the client. */
export interface Challenge extends Content {
  readonly text: string;
  readonly expiresAt: number;
}

/** @returns random text in base64url, valid for five minutes */
export async function newChallenge(
  db: Transaction,
  purpose: Purpose,
  { userId, data }: Content,
): Promise<string> {
  const content = { userId, data, expiresAt: Date.now() + LIFETIME };
  return (await readSealer(db)).seal(`${purpose} challenge`, JSON.stringify(content));
}

/** The challenge, or undefined if it has another purpose or has expired. */
export async function openChallenge(
  db: Transaction,
  purpose: Purpose,
  text: string,
): Promise<Challenge | undefined> {
  const opened = (await readSealer(db)).open(`${purpose} challenge`, text);
  if (opened === null) return undefined;
  const content = contentSchema.parse(JSON.parse(opened));
  return content.expiresAt > Date.now() ? { ...content, text } : undefined;
}

/**
 * Marks a challenge as answered, in the transaction of the answer's effect.
 * @throws {ApiError} 401 if it was answered before
 */
export async function useChallenge(
  db: Transaction,
  { text, expiresAt }: Pick<Challenge, 'text' | 'expiresAt'>,
): Promise<void> {
  if (!(await insertUsedChallenge(db, hash('sha256', text, 'base64url'), expiresAt))) {
    throw challengeExpired();
  }
}

/** The challenge can no longer be answered: the first step must be repeated. */
export function challengeExpired(): ApiError {
  return new ApiError('invalid_credentials', { challenge: [texts.challengeExpired] });
}
