import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { ApiError } from '#shared/errors.ts';
import type { AnswerHeaders } from './route.ts';

/** An answer as it is sent: what is kept of it is byte-equal. */
export interface FinishedAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: string | null;
}

/** A request that carries an `Idempotency-Key` (interface decisions, section 8). */
export interface KeyedRequest {
  readonly userId: number;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** equal for equal bodies */
  readonly fingerprint: string;
}

const KEPT_FOR = 14 * 24 * 60 * 60_000;
const MAX_KEY_LENGTH = 255;

/**
 * The key that a request carries, if any.
 * @throws {ApiError} 400 where it is too long
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  const key = Array.isArray(header) ? header.join(', ') : header;
  if (key === undefined || key === '') return null;
  if (key.length > MAX_KEY_LENGTH) {
    throw new ApiError(
      'malformed',
      `The Idempotency-Key may have at most ${MAX_KEY_LENGTH} characters.`,
    );
  }
  return key;
}

/**
 * The answer that was given to the same request before, if any.
 * @throws {ApiError} 409 where the key came with another body
 */
export async function findAnswer(
  db: Db,
  request: KeyedRequest,
  now: number,
): Promise<FinishedAnswer | undefined> {
  const kept = await db.k
    .selectFrom('idempotency')
    .select(['fingerprint', 'status', 'headers', 'body', 'created_at'])
    .where('user_id', '=', request.userId)
    .where('method', '=', request.method)
    .where('path', '=', request.path)
    .where('key', '=', request.key)
    .executeTakeFirst();
  if (!kept || kept.created_at <= now - KEPT_FOR) return undefined;
  if (kept.fingerprint !== request.fingerprint) {
    throw new ApiError('conflict', 'This Idempotency-Key was used with another body before.');
  }
  const headers: AnswerHeaders = JSON.parse(kept.headers);
  return { status: kept.status, headers, body: kept.body };
}

/**
 * Runs work once for all equal requests: the first answer is kept with what the work wrote, and given again.
 * @throws {ApiError} 409 where the key came with another body; what the work throws, and then nothing is kept
 */
export async function onlyOnce(
  db: Db,
  request: KeyedRequest,
  work: () => Promise<FinishedAnswer>,
): Promise<FinishedAnswer> {
  // SQLite has one writer at a time; on PostgreSQL an equal request under way is waited for.
  if (db.dialect === 'postgres') {
    await sql`select pg_advisory_xact_lock(${lockNumber(request)}::bigint)`.execute(db.k);
  }
  const now = Date.now();
  const before = await findAnswer(db, request, now);
  if (before) {
    await waitForStandbys(db, request);
    return before;
  }
  const answer = await work();
  const values = {
    fingerprint: request.fingerprint,
    status: answer.status,
    headers: JSON.stringify(answer.headers),
    body: answer.body,
    created_at: now,
  };
  await db.k
    .insertInto('idempotency')
    .values({
      user_id: request.userId,
      method: request.method,
      path: request.path,
      key: request.key,
      ...values,
    })
    .onConflict((conflict) =>
      // One that is too old to be given again is replaced; a younger one was found above.
      conflict.columns(['user_id', 'method', 'path', 'key']).doUpdateSet(values),
    )
    .execute();
  return answer;
}

/**
 * A kept answer is given again only when it is as safe as a new one: after a restart a PostgreSQL server shows
 * transactions whose standby has not confirmed them. The commit of a row written anew waits for all before it.
 */
async function waitForStandbys(db: Db, request: KeyedRequest): Promise<void> {
  if (db.dialect !== 'postgres') return;
  await db.k
    .updateTable('idempotency')
    .set((row) => ({ created_at: row.ref('created_at') }))
    .where('user_id', '=', request.userId)
    .where('method', '=', request.method)
    .where('path', '=', request.path)
    .where('key', '=', request.key)
    .execute();
}

/** Removes answers that are no longer given again. */
export async function forgetOldAnswers(db: Db, now: number): Promise<void> {
  await db.k
    .deleteFrom('idempotency')
    .where('created_at', '<=', now - KEPT_FOR)
    .execute();
}

export async function hasOldAnswers(db: Db, now: number): Promise<boolean> {
  const row = await db.k
    .selectFrom('idempotency')
    .select('created_at')
    .where('created_at', '<=', now - KEPT_FOR)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function lockNumber({ userId, method, path, key }: KeyedRequest): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([userId, method, path, key]))
    .digest();
  return digest.readBigInt64BE(0).toString();
}
