import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memoryOfThreads } from './limited-thread.ts';

/** Work that waits for memory. */
interface Waiter {
  readonly bytes: number;
  readonly admit: () => void;
}

/** What all work that takes much memory may take together, in bytes (docs/decisions/0018-memory.md). */
const BUDGET = 208 * 1024 * 1024;
/** Work that takes less does not wait for work that takes more. */
const SMALL_RESERVATION = 48 * 1024 * 1024;

/** Before work that takes more bytes, garbage is collected if the process takes much memory. */
const LARGE_RESERVATION = 96 * 1024 * 1024;
/** Garbage is collected if the process takes more bytes than this. */
const HIGH_MEMORY = 256 * 1024 * 1024;
/** And more by this than after the last collection, without those of threads. */
const MEMORY_GROWTH = 32 * 1024 * 1024;

let collectsGarbage = false;
let reserved = 0;
const waiting: Waiter[] = [];

/**
 * Reserves memory from the budget of the process; waits, first in, first out, until there is enough. Small reservations do
 * not wait for large ones.
 * @param bytes an upper bound; limited to the whole budget
 * @param signal cancels the wait
 * @returns releases the memory
 * @throws the reason of the signal
 */
export async function reserveMemory(bytes: number, signal?: AbortSignal): Promise<() => void> {
  signal?.throwIfAborted();
  const wanted = Math.min(bytes, BUDGET);
  const isFree =
    reserved + wanted <= BUDGET && (wanted <= SMALL_RESERVATION || waiting.length === 0);
  if (isFree) reserved += wanted;
  else await waitForMemory(wanted, signal);
  // V8 would keep the garbage of earlier work until there is much more of it.
  if (collectsGarbage && wanted > LARGE_RESERVATION) collectGarbage();
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    reserved -= wanted;
    admitWaiting();
  };
}

setFlagsFromString('--expose-gc');
const gc: unknown = runInNewContext('gc');

let bytesAfterCollection = 0;

/** From now on garbage is collected before work that takes much memory: in a process that is the service alone. */
export function collectGarbageBeforeLargeWork(): void {
  collectsGarbage = true;
}

/**
 * Collects garbage if the process takes too much memory. That stops the main thread for some 5 ms per megabyte of its heap.
 * Only this flavor also returns to the system the pages that V8 keeps for later objects, of ended threads too.
 */
function collectGarbage(): void {
  const threshold = Math.max(HIGH_MEMORY, bytesAfterCollection + MEMORY_GROWTH);
  if (process.memoryUsage.rss() <= threshold) return;
  if (typeof gc === 'function') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  // What a thread takes is garbage as soon as it ends.
  bytesAfterCollection = process.memoryUsage.rss() - memoryOfThreads();
}

/** Callbacks that release memory which is reserved but not needed now, such as that of an idle thread. */
const idleReservations = new Set<() => void>();

/**
 * Registers reserved memory that is idle: it is released as soon as other work waits for memory.
 * @param release called at most once
 * @returns unregisters it: to be called when the memory is in use again, or was released
 */
export function onMemoryWanted(release: () => void): () => void {
  idleReservations.add(release);
  if (waiting.length > 0) releaseIdle();
  return () => idleReservations.delete(release);
}

function releaseIdle(): void {
  const all = [...idleReservations];
  idleReservations.clear();
  for (const release of all) release();
}

function waitForMemory(bytes: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelWait = () => {
      waiting.splice(waiting.indexOf(waiter), 1);
      reject(signal?.reason);
      admitWaiting();
    };
    const waiter: Waiter = {
      bytes,
      admit: () => {
        signal?.removeEventListener('abort', cancelWait);
        resolve();
      },
    };
    signal?.addEventListener('abort', cancelWait, { once: true });
    waiting.push(waiter);
    releaseIdle();
  });
}

function admitWaiting(): void {
  for (const waiter of waiting.slice()) {
    const isNext = waiter === waiting[0];
    if (reserved + waiter.bytes > BUDGET || (!isNext && waiter.bytes > SMALL_RESERVATION)) continue;
    waiting.splice(waiting.indexOf(waiter), 1);
    reserved += waiter.bytes;
    waiter.admit();
  }
}
