import { CallError, isTemporary } from '#web/api/failure.ts';
import { retryDelay } from '#web/api/request.ts';
import { pause } from '#web/api/create-store.ts';

/**
 * Retries while the server is unreachable; a repeated write must keep its idempotency key, so that it is executed once.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CallError) || !isTemporary(error.failure)) throw error;
      await pause(retryDelay(tries, error));
    }
  }
}
