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

/** A user's answers are counted whenever the process has stored this fraction of the limit since the last count. */
const RECOUNT_FRACTION = 1 / 64;

/** Interval at which a request checks whether an equal one of another process has ended, in milliseconds. */
const TURN_POLL_INTERVAL = 100;

/** The answers to requests with an `Idempotency-Key`. */
export class StoredAnswers {
  readonly #maxBytes: number;
  readonly #readValuesAt: ReadValuesAt;
  readonly #readFormerNames: ReadFormerNames;
  /** bytes stored by this process since the user's answers were counted */
  readonly #uncounted = new Map<number, number>();
  /** names this process in leases */
  readonly #owner = randomUUID();
  /** requests of this process that run in turn, by user and digest */
  readonly #underWay = new KeyedMutex();

  /** @param maxBytes approximate limit for the answers of one user; the oldest are removed beyond it */
  constructor(maxBytes: number, readValuesAt: ReadValuesAt, readFormerNames: ReadFormerNames) {
    this.#maxBytes = maxBytes;
    this.#readValuesAt = readValuesAt;
    this.#readFormerNames = readFormerNames;
  }

  /**
   * The stored answer to the same request, if any, without what is now hidden from the user.
   * @throws {ApiError} 409 if the key was used with another body, or the answer cannot be rebuilt
   */
  async find(db: Transaction, keyed: KeyedRequest): Promise<FinishedAnswer | undefined> {
    const { fingerprint, target } = keyed;
    const stored = await store.findAnswer(db, keyed);
    if (!stored || stored.createdAt <= Date.now() - LIFETIME) return undefined;
    if (stored.fingerprint !== fingerprint) {
      throw new ApiError('conflict', texts.idempotencyKeyUsed);
    }
    const fullCollection = target && fullCollectionOf(target);
    const body = await decodeStoredBody(db, fullCollection, stored, this.#readValuesAt);
    if (body === undefined) throw new ApiError('conflict', texts.answerNotRepeatable);
    const headers: AnswerHeaders = JSON.parse(stored.headers);
    const narrowed = body && (await narrowAnswer(db, target, body, this.#readFormerNames));
    return { status: stored.status, headers, body: narrowed };
  }

  /**
   * Runs `work` once for all equal requests: the first answer is stored together with the writes of `work`, and
   * returned again for repetitions (`repeatedBody`: with this body).
   * @throws {ApiError} as `find`; errors of `work`, after which nothing is stored
   */
  async runOnce<Given extends FinishedAnswer>(
    db: Transaction,
    keyed: KeyedRequest,
    work: () => Promise<
      Given & { readonly records: readonly StoredRecord[]; readonly repeatedBody?: string }
    >,
  ): Promise<FinishedAnswer> {
    const { fingerprint, target } = keyed;
    // Waits for an equal request in progress.
    await db.adapter.lockNumber(db, lockNumber(keyed));
    const before = await this.find(db, keyed);
    if (before) {
      // A repeated answer must be as durable as a new one: after a restart a PostgreSQL server shows transactions
      // that its standby has not confirmed. The commit of a rewritten row waits for all earlier commits.
      if (db.adapter.isShared) await store.touchAnswer(db, keyed);
      return before;
    }
    const { records, repeatedBody, ...answer } = await work();
    const { status } = answer;
    const body = repeatedBody ?? answer.body;
    const added = await store.storeAnswer(db, keyed, {
      fingerprint,
      status,
      headers: JSON.stringify(answer.headers),
      ...encodeStoredBody(body, target, records),
      createdAt: Date.now(),
    });
    await this.#limitSize(db, keyed, added);
    return answer;
  }

  /**
   * Runs `work` after all equal requests of all processes. `work` writes in separate transactions before it calls
   * `runOnce`.
   * @param context its client does not wait for those of other processes once it has disconnected
   */
  runInTurn<T>(
    database: Database,
    keyed: KeyedRequest,
    context: ReadContext,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.#underWay.runExclusive(`${keyed.userId} ${keyed.request}`, () =>
      database.adapter.isShared ? this.#runWithLease(database, keyed, context, work) : work(),
    );
  }

  /** Removes answers and leases that have expired. */
  async removeExpired(database: Database): Promise<void> {
    await deleteRowsBefore(database, 'stored_answers', Date.now() - LIFETIME);
    await deleteRowsBefore(database, 'running_requests', Date.now());
  }

  async #limitSize(db: Transaction, keyed: KeyedRequest, added: number): Promise<void> {
    const slack = this.#maxBytes * RECOUNT_FRACTION;
    const sum = (this.#uncounted.get(keyed.userId) ?? slack) + added;
    this.#uncounted.set(keyed.userId, sum < slack ? sum : 0);
    if (sum >= slack) {
      await store.evictAnswers(db, keyed, this.#maxBytes, this.#maxBytes - slack);
    }
  }

  async #runWithLease<T>(
    database: Database,
    keyed: KeyedRequest,
    { signal }: ReadContext,
    work: () => Promise<T>,
  ): Promise<T> {
    const owner = this.#owner;
    const claim = (db: Transaction) => store.claimRequest(db, keyed, owner);
    while (!(await database.write(claim, READ_COMMITTED))) {
      if (signal?.aborted) throw clientDisconnected();
      await setTimeout(TURN_POLL_INTERVAL);
    }
    try {
      const renew = (db: Transaction) => store.renewRequest(db, keyed, owner);
      return await withLeaseRenewal(database, renew, work);
    } finally {
      const release = (db: Transaction) => store.releaseRequest(db, keyed, owner);
      // A lease that cannot be released expires.
      await database.write(release, READ_COMMITTED).catch(() => undefined);
    }
  }
}

function lockNumber({ userId, request }: KeyedRequest): string {
  const digest = hash('sha256', JSON.stringify([userId, request]), 'buffer');
  return digest.readBigInt64BE(0).toString();
}
