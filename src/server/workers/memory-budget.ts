/** Work that waits for memory. */
interface Waiter {
  readonly bytes: number;
  readonly begin: () => void;
}

/** What all work that takes much memory may take together, in bytes (docs/decisions/0018-memory.md). */
const BUDGET = 208 * 1024 * 1024;
/** Work that takes less does not wait for work that takes more. */
const SMALL = 48 * 1024 * 1024;

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
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    taken -= wanted;
    admit();
  };
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
  for (const waiter of [...waiting]) {
    const isNext = waiter === waiting[0];
    if (taken + waiter.bytes > BUDGET || (!isNext && waiter.bytes > SMALL)) continue;
    waiting.splice(waiting.indexOf(waiter), 1);
    taken += waiter.bytes;
    waiter.begin();
  }
}
