import * as texts from '#messages/service/http.ts';
import { hash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { READ_COMMITTED, type Database, type Transaction } from '#server/database/database.ts';
import { deleteRowsBefore } from '#server/database/expired-rows.ts';
import { withLeaseRenewal } from '#server/database/leases.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fullCollectionOf } from '#server/database/records/collection-view.ts';
import { clientDisconnected, type ReadContext } from '#server/database/query-cancellation.ts';
import * as store from '#server/database/stored-responses.ts';
import { KeyedMutex } from '#server/lib/keyed-mutex.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { encodeStoredBody, decodeStoredBody, type ReadValuesAt } from './stored-body-encoding.ts';
import { narrowAnswer, type ReadFormerNames } from './narrow-answer.ts';
import type { AnswerHeaders } from './route.ts';

/** An answer as it is sent; a repeated request gets the same bytes. */
export interface FinishedAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: string | null;
}

/** A request with an `Idempotency-Key` (docs/interface/decisions.md, section 8). */
export interface KeyedRequest {
  readonly userId: number;
  /** the digest of method, path, query and key: `requestDigest` */
  readonly request: string;
  /** equal for equal bodies */
  readonly fingerprint: string;
  /** the archive or table of the request, as the user sees it */
  readonly target: Collection | null;
}

const LIFETIME = 14 * 24 * 60 * 60_000;
const MAX_KEY_LENGTH = 255;

/**
 * The idempotency key of a request, if any.
 * @throws {ApiError} 400 if it is too long
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  const key = Array.isArray(header) ? header.join(', ') : header;
  if (key === undefined || key === '') return null;
  if (key.length > MAX_KEY_LENGTH) {
    throw new ApiError('malformed', texts.idempotencyKeyTooLong({ max: MAX_KEY_LENGTH }));
  }
  return key;
}

/** The answers to requests with an `Idempotency-Key`. */
export interface StoredAnswers {
  /**
   * The stored answer to the same request, if any, without what is now hidden from the user.
   * @throws {ApiError} 409 if the key was used with another body, or the answer cannot be rebuilt
   */
  find(db: Transaction, request: KeyedRequest): Promise<FinishedAnswer | undefined>;
  /**
   * Runs `work` once for all equal requests: the first answer is stored together with the writes of `work`, and
   * returned again for repetitions (`repeatedBody`: with this body).
   * @throws {ApiError} as `find`; errors of `work`, after which nothing is stored
   */
  runOnce<Given extends FinishedAnswer>(
    db: Transaction,
    request: KeyedRequest,
    work: () => Promise<
      Given & { readonly records: readonly StoredRecord[]; readonly repeatedBody?: string }
    >,
  ): Promise<FinishedAnswer>;
  /**
   * Runs `work` after all equal requests of all processes. `work` writes in separate transactions before it calls
   * `runOnce`.
   * @param context its client does not wait for those of other processes once it has disconnected
   */
  runInTurn<T>(
    database: Database,
    request: KeyedRequest,
    context: ReadContext,
    work: () => Promise<T>,
  ): Promise<T>;
  /** Removes answers and leases that have expired. */
  removeExpired(database: Database): Promise<void>;
}

/** A user's answers are counted whenever the process has stored this fraction of the limit since the last count. */
const RECOUNT_FRACTION = 1 / 64;

/** Interval at which a request checks whether an equal one of another process has ended, in milliseconds. */
const TURN_POLL_INTERVAL = 100;

/** @param maxBytes approximate limit for the answers of one user; the oldest are removed beyond it */
export function createStoredAnswers(
  maxBytes: number,
  readValuesAt: ReadValuesAt,
  readFormerNames: ReadFormerNames,
): StoredAnswers {
  /** bytes stored by this process since the user's answers were counted */
  const uncounted = new Map<number, number>();
  const slack = maxBytes * RECOUNT_FRACTION;
  /** names this process in leases */
  const owner = randomUUID();
  /** requests of this process that run in turn, by user and digest */
  const underWay = new KeyedMutex();

  const find = async (db: Transaction, { userId, request, fingerprint, target }: KeyedRequest) => {
    const stored = await store.findAnswer(db, userId, request);
    if (!stored || stored.createdAt <= Date.now() - LIFETIME) return undefined;
    if (stored.fingerprint !== fingerprint) {
      throw new ApiError('conflict', texts.idempotencyKeyUsed);
    }
    const fullCollection = target && fullCollectionOf(target);
    const body = await decodeStoredBody(db, fullCollection, stored, readValuesAt);
    if (body === undefined) throw new ApiError('conflict', texts.answerNotRepeatable);
    const headers: AnswerHeaders = JSON.parse(stored.headers);
    const narrowed = body && (await narrowAnswer(db, target, body, readFormerNames));
    return { status: stored.status, headers, body: narrowed };
  };

  const limitSize = async (db: Transaction, { userId, request }: KeyedRequest, added: number) => {
    const sum = (uncounted.get(userId) ?? slack) + added;
    if (sum < slack) {
      uncounted.set(userId, sum);
      return;
    }
    uncounted.set(userId, 0);
    await store.evictAnswers(db, userId, request, maxBytes, maxBytes - slack);
  };

  const runWithLease = async <T>(
    database: Database,
    { userId, request }: KeyedRequest,
    { signal }: ReadContext,
    work: () => Promise<T>,
  ): Promise<T> => {
    const claim = (db: Transaction) => store.claimRequest(db, userId, request, owner);
    while (!(await database.write(claim, READ_COMMITTED))) {
      if (signal?.aborted) throw clientDisconnected();
      await setTimeout(TURN_POLL_INTERVAL);
    }
    try {
      const renew = (db: Transaction) => store.renewRequest(db, userId, request, owner);
      return await withLeaseRenewal(database, renew, work);
    } finally {
      const release = (db: Transaction) => store.releaseRequest(db, userId, request, owner);
      // A lease that cannot be released expires.
      await database.write(release, READ_COMMITTED).catch(() => undefined);
    }
  };

  return {
    find,
    runInTurn: (database, keyed, context, work) =>
      underWay.runExclusive(`${keyed.userId} ${keyed.request}`, () =>
        database.adapter.isShared ? runWithLease(database, keyed, context, work) : work(),
      ),
    async runOnce(db, keyed, work) {
      const { userId, request, fingerprint, target } = keyed;
      // Waits for an equal request in progress.
      await db.adapter.lockNumber(db, lockNumber(keyed));
      const before = await find(db, keyed);
      if (before) {
        // A repeated answer must be as durable as a new one: after a restart a PostgreSQL server shows transactions
        // that its standby has not confirmed. The commit of a rewritten row waits for all earlier commits.
        if (db.adapter.isShared) await store.touchAnswer(db, userId, request);
        return before;
      }
      const { records, repeatedBody, ...answer } = await work();
      const { status } = answer;
      const body = repeatedBody ?? answer.body;
      const added = await store.storeAnswer(db, userId, request, target, {
        fingerprint,
        status,
        headers: JSON.stringify(answer.headers),
        ...encodeStoredBody(body, target, records),
        createdAt: Date.now(),
      });
      await limitSize(db, keyed, added);
      return answer;
    },
    async removeExpired(database) {
      await deleteRowsBefore(database, 'stored_answers', Date.now() - LIFETIME);
      await deleteRowsBefore(database, 'running_requests', Date.now());
    },
  };
}

function lockNumber({ userId, request }: KeyedRequest): string {
  const digest = hash('sha256', JSON.stringify([userId, request]), 'buffer');
  return digest.readBigInt64BE(0).toString();
}
