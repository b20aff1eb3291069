import { getHeapStatistics } from 'node:v8';
import type { DatabaseLoad } from '#server/database/database-load.ts';

/** The delays at which the load is 1. */
interface LoadLimits {
  /** smoothed delay of the event loop, in milliseconds */
  readonly maxDelay: number;
  /** wait for a write or a database connection, in milliseconds */
  readonly maxWait: number;
}

/** The load of a process as a fraction of its limits: 0 none, 1 when one limit is reached. */
export interface LoadMonitor {
  now(): number;
  /** delay of the event loop in milliseconds, smoothed over about a second */
  readonly delay: number;
  close(): void;
}

const INTERVAL = 100;
/** The weight of a new measurement in the smoothed value: a single long step is no overload. */
const SMOOTHING_FACTOR = 0.1;
/** Above this fraction of the heap limit, garbage collection takes more and more of the time. */
const MAX_HEAP_SHARE = 0.85;

/** Watches the event loop until it is closed. @param load of the database */
export function startLoadMonitor(limits: LoadLimits, load: () => DatabaseLoad): LoadMonitor {
  let delay = 0;
  let heap = 0;
  let expected = performance.now() + INTERVAL;
  const timer = setInterval(() => {
    const now = performance.now();
    // A late measurement has no information about the time before it; values above a few limits are capped.
    const late = Math.min(Math.max(0, now - expected), limits.maxDelay * 4);
    expected = now + INTERVAL;
    delay += (late - delay) * SMOOTHING_FACTOR;
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    heap = used / limit;
  }, INTERVAL).unref();
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
