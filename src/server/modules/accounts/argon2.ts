import { argon2, type Argon2Parameters } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { FairLimiter } from '#server/http/load-shedding/fair-limiter.ts';
import { classOf } from '#server/http/load-shedding/known-clients.ts';
import { ApiError } from '#shared/errors.ts';

/** What a hash costs: memory in KiB, passes over it, lanes. */
export interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's password storage cheat sheet: Argon2id with 19 MiB, two passes, one lane. */
export const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };

const derive: (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer> =
  promisify(argon2);

/** Each run holds its memory and a thread of node's pool, which file access needs as well. */
const CONCURRENT = Math.max(1, Math.min(3, availableParallelism() - 1));
/** Those that run or wait: about half a minute on one thread. */
const PLACES = 1_024;

const limiter = new FairLimiter({ places: PLACES, concurrent: CONCURRENT });

/** For whom a hash is computed, so that nobody's attempts make others wait for long. */
export interface HashingClient {
  /** whether it has signed in before, from this browser or address */
  readonly isKnown: boolean;
  /** equal for the same client */
  readonly key: string;
  /** aborted when the result is of no use any more */
  readonly signal?: AbortSignal | undefined;
}

const SERVICE: HashingClient = { isKnown: true, key: '' };

/**
 * Argon2id, a few at a time, in turn by clients: those that are known, and strangers, each in turn among themselves.
 * @throws {ApiError} `unavailable` where too many wait already, or the client has left
 */
export async function argon2id(
  message: string | Buffer,
  nonce: Buffer,
  cost: Cost,
  tagLength: number,
  { isKnown, key, signal }: HashingClient = SERVICE,
): Promise<Buffer> {
  const place = limiter.enter([classOf(isKnown), key]);
  const leave = () => place?.leave();
  signal?.addEventListener('abort', leave);
  if (signal?.aborted) leave();
  try {
    if (!place || !(await place.begin())) throw tooManySignIns();
    return await derive('argon2id', { message, nonce, tagLength, ...cost });
  } finally {
    signal?.removeEventListener('abort', leave);
    leave();
  }
}

function tooManySignIns(): ApiError {
  return new ApiError('unavailable', 'Too many people are signing in at this moment.', {
    headers: { 'retry-after': '2' },
  });
}
