import { getHeapStatistics } from 'node:v8';
import type { DatabaseLoad } from '#server/database/database.ts';

/** At which delays the load is 1. */
interface LoadLimits {
  /** milliseconds that the event loop may be behind, smoothed */
  readonly maxDelay: number;
  /** milliseconds that a write or a connection to the database may be waited for */
  readonly maxWait: number;
}

/** How much of its limits a process uses: 0 nothing, 1 all of the one that is used most. */
export interface LoadMonitor {
  now(): number;
  /** milliseconds that the event loop is behind, smoothed over about a second */
  readonly delay: number;
  close(): void;
}

const LOOK_EVERY = 100;
/** The weight of a new measurement in the smoothed value: one long step alone is no overload. */
const NEW_PART = 0.1;
/** Beyond this part of the heap's limit, collecting garbage takes more and more of the time. */
const MAX_HEAP_SHARE = 0.85;

/** Watches the event loop until it is closed. @param load of the database */
export function startLoadMonitor(limits: LoadLimits, load: () => DatabaseLoad): LoadMonitor {
  let delay = 0;
  let heap = 0;
  let expected = performance.now() + LOOK_EVERY;
  const timer = setInterval(() => {
    const now = performance.now();
    // One that is late says nothing of the time before the last; more than a few limits are no more than that.
    const late = Math.min(Math.max(0, now - expected), limits.maxDelay * 4);
    expected = now + LOOK_EVERY;
    delay += (late - delay) * NEW_PART;
    const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics();
    heap = used / most;
  }, LOOK_EVERY).unref();
  return {
    now() {
      const { longestWait } = load();
      return Math.max(delay / limits.maxDelay, longestWait / limits.maxWait, heap / MAX_HEAP_SHARE);
    },
    get delay() {
      return delay;
    },
    close: () => clearInterval(timer),
  };
}
