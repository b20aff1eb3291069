import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Work that waits for memory. */
interface Waiter {
  readonly bytes: number;
  readonly begin: () => void;
}

/** What all work that takes much memory may take together, in bytes (docs/decisions/0018-memory.md). */
const BUDGET = 208 * 1024 * 1024;
/** Work that takes less does not wait for work that takes more. */
const SMALL = 48 * 1024 * 1024;

/** Before work that takes more bytes, garbage is collected if the process takes much memory. */
const LARGE = 96 * 1024 * 1024;
/** Bytes of the process that are much, … */
const HIGH = 256 * 1024 * 1024;
/** … or so many more than a collection has left. */
const GROWTH = 32 * 1024 * 1024;

let taken = 0;
const waiting: Waiter[] = [];

/**
 * Waits until so much memory is left of what the process may take; in turn, but small work does not wait for large.
 * @param bytes at most; never more than the whole budget is waited for
 * @param signal leaves the queue
 * @returns gives the memory back
 * @throws the reason of the signal
 */
export async function reserveMemory(bytes: number, signal?: AbortSignal): Promise<() => void> {
  signal?.throwIfAborted();
  const wanted = Math.min(bytes, BUDGET);
  const isFree = taken + wanted <= BUDGET && (wanted <= SMALL || waiting.length === 0);
  if (isFree) taken += wanted;
  else await inTurn(wanted, signal);
  // V8 would leave what earlier work has left until there is much more of it.
  if (wanted > LARGE && process.memoryUsage.rss() > collectAbove) collectGarbage();
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    taken -= wanted;
    admit();
  };
}

setFlagsFromString('--expose-gc');
const gc: unknown = runInNewContext('gc');

let collectAbove = HIGH;

/** Stops the main thread for about a millisecond per megabyte of its heap. */
function collectGarbage(): void {
  if (typeof gc === 'function') gc();
  collectAbove = Math.max(HIGH, process.memoryUsage.rss() + GROWTH);
}

/** Whether other work waits for memory. */
export function isMemoryWanted(): boolean {
  return waiting.length > 0;
}

function inTurn(bytes: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.splice(waiting.indexOf(waiter), 1);
      reject(signal?.reason);
      admit();
    };
    const waiter: Waiter = {
      bytes,
      begin: () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      },
    };
    signal?.addEventListener('abort', leave, { once: true });
    waiting.push(waiter);
  });
}

function admit(): void {
  for (const waiter of waiting.slice()) {
    const isNext = waiter === waiting[0];
    if (taken + waiter.bytes > BUDGET || (!isNext && waiter.bytes > SMALL)) continue;
    waiting.splice(waiting.indexOf(waiter), 1);
    taken += waiter.bytes;
    waiter.begin();
  }
}
