import { connection } from './connection.ts';
import { pause } from './create-store.ts';
import { CallError, isTemporary, toFailure } from './failure.ts';

const MAX_PAUSE = 8_000;

/** Milliseconds before the next attempt: as requested by the service, otherwise growing from half a second to eight. */
export function retryDelay(tries: number, error: unknown): number {
  const failure = toFailure(error);
  const requested = failure.kind === 'api' ? failure.retryAfter : null;
  return Math.min(
    requested === null ? 500 * 2 ** Math.min(tries, 10) : requested * 1000,
    MAX_PAUSE,
  );
}

/**
 * Retries while the server is unreachable or overloaded; a repeated write must keep its idempotency key, so that it is
 * executed once.
 * @param timeout after this time in milliseconds a failure is final
 * @throws {CallError} any other error of the service
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  signal?: AbortSignal,
  timeout = Number.POSITIVE_INFINITY,
): Promise<T> {
  const giveUpAt = Date.now() + timeout;
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isFinal = !(error instanceof CallError) || !isTemporary(error.failure);
      if (isFinal || Date.now() >= giveUpAt) throw error;
      connection.set('lost');
      await pause(retryDelay(tries, error), signal);
    }
  }
}
