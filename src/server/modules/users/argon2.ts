import { argon2, type Argon2Parameters } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
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
const AT_ONCE = Math.max(1, Math.min(3, availableParallelism() - 1));
const MAX_WAITING = 256;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Argon2id, a few at a time.
 * @throws {ApiError} `unavailable` where too many wait already
 */
export async function argon2id(
  message: string | Buffer,
  nonce: Buffer,
  cost: Cost,
  tagLength: number,
): Promise<Buffer> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) {
      throw new ApiError('unavailable', 'Too many people are signing in at this moment.', {
        headers: { 'retry-after': '2' },
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    return await derive('argon2id', { message, nonce, tagLength, ...cost });
  } finally {
    // The place goes to the next in the queue, else it is free.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
