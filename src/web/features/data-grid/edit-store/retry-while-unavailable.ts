import { CallError, isPassing } from '#web/api/failure.ts';
import { retryDelay } from '#web/api/request.ts';
import { pause } from '#web/api/create-store.ts';

/**
 * Waits for as long as the server is away; the same write must keep its key, so that it is done once.
 * @param signal ends the waiting, never a call; it rejects with its reason then
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CallError) || !isPassing(error.failure)) throw error;
      await pause(retryDelay(tries, error), signal);
    }
  }
}
