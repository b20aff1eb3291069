import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** A pause is at most so many times as long as the part before it. */
const MAX_PAUSE_FACTOR = 3;

/**
 * Lets others go first while long work is done in parts: after each part it waits for as long as others have kept the
 * event loop busy since the one before, so that both get on. Where nobody else wants anything, there is no pause.
 * @returns to be called after each part, with the milliseconds that it took
 */
export function createCooperativeYield(signal?: AbortSignal): (took: number) => Promise<void> {
  let before = performance.eventLoopUtilization();
  return async (took) => {
    // What has come meanwhile has its turn in any case.
    await setImmediate();
    const others = performance.eventLoopUtilization(before).active - took;
    if (others >= 1) {
      const pause = Math.min(others, took * MAX_PAUSE_FACTOR);
      await setTimeout(pause, undefined, { ref: false, ...(signal && { signal }) }).catch(
        () => undefined,
      );
    }
    before = performance.eventLoopUtilization();
  };
}

/** How long a loop may keep other requests waiting, in milliseconds. */
const YIELD_INTERVAL = 10;
let lastYieldAt = 0;

/** Called in long loops: lets other work of the process run if the last yield was more than 10 ms ago. */
export async function yieldToEventLoop(): Promise<void> {
  if (performance.now() - lastYieldAt < YIELD_INTERVAL) return;
  await setImmediate();
  lastYieldAt = performance.now();
}
