/** Documents that are opened and drawn at the same time for their cut-outs. */
const AT_ONCE = 2;

const waiting: (() => void)[] = [];
let running = 0;

/** Does something when its turn comes; those that nobody wants any more give theirs away. */
export async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    running--;
    waiting.shift()?.();
  }
}
