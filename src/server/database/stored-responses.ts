import { hash } from 'node:crypto';
import type { Transaction } from './database.ts';
import { leaseOf } from './leases.ts';
import type { QueryParameters } from '#shared/rules/query-reader.ts';
import type { CollectionRef } from './records/columns.ts';

/** The size of a stored answer besides its headers and body, in bytes: its row and its index entries. */
export const ANSWER_OVERHEAD = 512;

/** What identifies a request for an idempotency key, besides its user and body. */
interface RequestIdentity {
  readonly method: string;
  /** without doubled slashes, percent-encoded */
  readonly path: string;
  /** of the archive or table in the path, by whatever name or case; null: the path names none */
  readonly guid: string | null;
  /** the parameters, decoded, in their order */
  readonly query: QueryParameters;
  readonly key: string;
}

/** A digest of constant length, by which the answer to a request is found. */
export function requestDigest({ method, path, guid, query, key }: RequestIdentity): string {
  const named =
    guid === null
      ? path
      : path.replace(/\/(archives|tables)\/[^/]+/, (_, kind: string) => `/${kind}/${guid}`);
  return hash('sha256', JSON.stringify([method, named, query, key]), 'base64url');
}

/** What identifies a request among those of all users. */
interface RequestKey {
  readonly userId: number;
  /** `requestDigest` */
  readonly request: string;
}

/** An answer as it is stored. */
export interface StoredAnswer {
  /** equal for equal request bodies */
  readonly fingerprint: string;
  readonly status: number;
  /** JSON */
  readonly headers: string;
  /** how `body` is stored: plain, or compressed */
  readonly encoding: 'text' | 'zstd' | 'purged';
  readonly body: string | null;
  /** milliseconds since 1970 UTC */
  readonly createdAt: number;
}

export async function findAnswer(
  db: Transaction,
  { userId, request }: RequestKey,
): Promise<StoredAnswer | undefined> {
  return db.k
    .selectFrom('stored_answers')
    .select(['fingerprint', 'status', 'headers', 'encoding', 'body', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .where('request', '=', request)
    .executeTakeFirst();
}

/** Stores an answer and replaces one of the same request. @returns its size in bytes */
export async function storeAnswer(
  db: Transaction,
  { userId, request, target }: RequestKey & { readonly target: CollectionRef | null },
  { createdAt, ...answer }: StoredAnswer,
): Promise<number> {
  const { headers, body } = answer;
  const bytes = ANSWER_OVERHEAD + headers.length + Buffer.byteLength(body ?? '');
  const about = { scope: target?.kind ?? null, thing_id: target?.id ?? null };
  const values = { ...answer, ...about, bytes, created_at: createdAt };
  await db.k
    .insertInto('stored_answers')
    .values({ user_id: userId, request, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'request']).doUpdateSet(values))
    .execute();
  return bytes;
}

/**
 * Removes the bodies of the answers for an archive or table, and of those for none, which may be a plan with values. A
 * repeated request is then rejected, so nothing is done twice.
 */
export async function purgeAnswers(db: Transaction, { kind, id }: CollectionRef): Promise<void> {
  await db.k
    .updateTable('stored_answers')
    .set({ encoding: 'purged', body: null })
    .where((where) =>
      where.or([
        where('scope', 'is', null),
        where.and([where('scope', '=', kind), where('thing_id', '=', id)]),
      ]),
    )
    .execute();
}

/** Rewrites a stored answer unchanged. */
export async function touchAnswer(db: Transaction, { userId, request }: RequestKey): Promise<void> {
  await db.k
    .updateTable('stored_answers')
    .set((row) => ({ created_at: row.ref('created_at') }))
    .where('user_id', '=', userId)
    .where('request', '=', request)
    .execute();
}

/** Answers that one statement removes. */
const REMOVAL_BATCH_SIZE = 200;

/**
 * Removes a user's oldest answers if all together exceed `maxBytes`, until they are within `targetBytes`. The answer of
 * `request` stays, whatever its size.
 */
export async function evictAnswers(
  db: Transaction,
  { userId, request }: RequestKey,
  maxBytes: number,
  targetBytes: number,
): Promise<void> {
  const total = await db.k
    .selectFrom('stored_answers')
    .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const bytes = total?.bytes ?? 0;
  if (bytes <= maxBytes) return;
  for (let excess = bytes - targetBytes; excess > 0;) {
    const oldest = await db.k
      .selectFrom('stored_answers')
      .select(['request', 'bytes'])
      .where('user_id', '=', userId)
      .where('request', '!=', request)
      .orderBy('created_at')
      .limit(REMOVAL_BATCH_SIZE)
      .execute();
    if (oldest.length === 0) return;
    const removed: string[] = [];
    for (const answer of oldest) {
      if (excess <= 0) break;
      removed.push(answer.request);
      excess -= answer.bytes;
    }
    await db.k
      .deleteFrom('stored_answers')
      .where('user_id', '=', userId)
      .where('request', 'in', removed)
      .execute();
  }
}

/**
 * Takes the lease of a request for the process that executes it.
 * @returns false if another process has it
 */
export async function claimRequest(
  db: Transaction,
  { userId, request }: RequestKey,
  owner: string,
): Promise<boolean> {
  const lease = leaseOf(owner);
  const claimed = await db.k
    .insertInto('running_requests')
    .values({ user_id: userId, request, ...lease })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'request'])
        .doUpdateSet(lease)
        .where('running_requests.lease_until', '<', Date.now()),
    )
    .returning('user_id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Extends the lease of a request, unless another process has taken it. */
export async function renewRequest(
  db: Transaction,
  { userId, request }: RequestKey,
  owner: string,
): Promise<void> {
  await db.k
    .updateTable('running_requests')
    .set(leaseOf(owner))
    .where('user_id', '=', userId)
    .where('request', '=', request)
    .where('lease_owner', '=', owner)
    .execute();
}

/** Ends the lease of a request, unless another process has taken it. */
export async function releaseRequest(
  db: Transaction,
  { userId, request }: RequestKey,
  owner: string,
): Promise<void> {
  await db.k
    .deleteFrom('running_requests')
    .where('user_id', '=', userId)
    .where('request', '=', request)
    .where('lease_owner', '=', owner)
    .execute();
}
