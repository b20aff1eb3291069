import * as texts from '#messages/service/accounts.ts';
import { argon2, type Argon2Parameters } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { FairLimiter } from '#server/http/load-shedding/fair-limiter.ts';
import { clientClass } from '#server/http/load-shedding/known-clients.ts';
import { ApiError } from '#shared/contract/errors.ts';

/** The cost of a hash: memory in KiB, passes, lanes. */
export interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's password storage cheat sheet: Argon2id with 19 MiB, two passes, one lane (tests: tests/support/hashing-cost.ts). */
export const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };

const derive: (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer> =
  promisify(argon2);

/** Each run takes its memory and a thread of Node's pool, which file access needs too. */
const MAX_RUNNING = Math.max(1, Math.min(3, availableParallelism() - 1));
/** The maximum of running and waiting hashes: about half a minute on one thread. */
const MAX_QUEUED = 1_024;

const limiter = new FairLimiter({ capacity: MAX_QUEUED, maxRunning: MAX_RUNNING });

/** The client of a hash, for a fair order. */
export interface HashingClient {
  /** whether it is a known browser or address */
  readonly isKnown: boolean;
  /** identifies the client */
  readonly key: string;
  /** aborted when the result is no longer needed */
  readonly signal?: AbortSignal | undefined;
}

const SERVICE: HashingClient = { isKnown: true, key: '' };

/**
 * Argon2id, with limited concurrency, in a fair order: known and unknown clients alternate, and clients alternate
 * within each class.
 * @throws {ApiError} `unavailable` if too many are waiting, or the client has disconnected
 */
export async function argon2id(
  message: string | Buffer,
  nonce: Buffer,
  cost: Cost,
  tagLength: number,
  { isKnown, key, signal }: HashingClient = SERVICE,
): Promise<Buffer> {
  const slot = limiter.acquire([clientClass(isKnown), key]);
  const release = () => slot?.release();
  signal?.addEventListener('abort', release);
  if (signal?.aborted) release();
  try {
    if (!slot || !(await slot.waitForTurn())) throw tooManySignIns();
    return await derive('argon2id', { message, nonce, tagLength, ...cost });
  } finally {
    signal?.removeEventListener('abort', release);
    release();
  }
}

function tooManySignIns(): ApiError {
  return new ApiError('unavailable', texts.tooManySignIns, { retryAfter: 2 });
}
