/** How many documents are opened and rendered concurrently for clippings. */
const MAX_CONCURRENT = 2;

const waiting: (() => void)[] = [];
let running = 0;

/** Runs work when its turn comes; aborted requests leave the queue. */
export async function withConcurrencyLimit<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    running--;
    waiting.shift()?.();
  }
}
