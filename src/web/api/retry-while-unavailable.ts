import { connection } from './connection.ts';
import { pause } from './create-store.ts';
import { CallError, isTemporary } from './failure.ts';
import { retryDelay } from './request.ts';

/**
 * Retries while the server is unreachable or overloaded; a repeated write must keep its idempotency key, so that it is
 * executed once.
 * @throws {CallError} any other error of the service
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CallError) || !isTemporary(error.failure)) throw error;
      connection.set('lost');
      await pause(retryDelay(tries, error), signal);
    }
  }
}
