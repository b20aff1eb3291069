import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memoryOfThreads } from './limited-thread.ts';

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
/**
 * Bytes of the process that are much, or so many more than were left by the last collection, without those of threads.
 * Tests, whose processes hold far more than the service, set them.
 */
export const MUCH_MEMORY = { high: 256 * 1024 * 1024, growth: 32 * 1024 * 1024 };

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
  // V8 would keep the garbage of earlier work until there is much more of it.
  if (wanted > LARGE) collectGarbage();
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

let leftByLast = 0;

/**
 * Collects garbage if the process takes too much memory. That stops the main thread for some 5 ms per megabyte of its heap.
 * Only this flavor also gives the system the pages that V8 keeps for later objects, of ended threads too.
 */
function collectGarbage(): void {
  const { high, growth } = MUCH_MEMORY;
  if (process.memoryUsage.rss() <= Math.max(high, leftByLast + growth)) return;
  if (typeof gc === 'function') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  // What a thread takes is garbage as soon as it ends.
  leftByLast = process.memoryUsage.rss() - memoryOfThreads();
}

/** What holds memory without need, such as an idle thread. */
const idle = new Set<() => void>();

/**
 * For what holds reserved memory only so that its next work begins sooner.
 * @param giveBack called once, as soon as other work waits for memory
 * @returns called when the memory is needed again, or was given back
 */
export function onMemoryWanted(giveBack: () => void): () => void {
  idle.add(giveBack);
  if (waiting.length > 0) endIdle();
  return () => idle.delete(giveBack);
}

function endIdle(): void {
  const all = [...idle];
  idle.clear();
  for (const giveBack of all) giveBack();
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
    endIdle();
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
