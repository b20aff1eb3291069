import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** A pause is at most this many times as long as the part before it. */
const MAX_PAUSE_FACTOR = 3;

/**
 * Gives other work priority while long work runs in parts: after each part it pauses for as long as other work used the
 * event loop since the previous part, so both make progress. If no other work is waiting, there is no pause.
 * @returns a function to call after each part, with the duration of the part in milliseconds, and the milliseconds in
 * which the part itself kept the event loop busy: by default all of them; fewer if a database server did the work
 */
export function createCooperativeYield(
  signal?: AbortSignal,
): (took: number, busy?: number) => Promise<void> {
  let lastUtilization = performance.eventLoopUtilization();
  return async (took, busy = took) => {
    // Work that has arrived meanwhile runs first in any case.
    await setImmediate();
    const busyWithOthers = performance.eventLoopUtilization(lastUtilization).active - busy;
    if (busyWithOthers >= 1) {
      const pause = Math.min(busyWithOthers, took * MAX_PAUSE_FACTOR);
      await setTimeout(pause, undefined, { ref: false, ...(signal && { signal }) }).catch(
        () => undefined,
      );
    }
    lastUtilization = performance.eventLoopUtilization();
  };
}

/** How long a loop may block other requests, in milliseconds. */
const YIELD_INTERVAL = 10;
let lastYieldAt = 0;

/** Whether a loop over the entries of a call may yield after this one; the calls of few entries run to their end at once. */
export function yieldsAfter(index: number): boolean {
  return index % 50 === 49;
}

/** Called in long loops: yields to other work of the process if the last yield was more than 10 ms ago. */
export async function yieldToEventLoop(): Promise<void> {
  if (performance.now() - lastYieldAt < YIELD_INTERVAL) return;
  await setImmediate();
  lastYieldAt = performance.now();
}
