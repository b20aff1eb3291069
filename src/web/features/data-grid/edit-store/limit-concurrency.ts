/**
 * Runs work for many keys, so much of it at the same time; what waits is begun in the order in which it was added.
 * A key that waits or runs is not added again.
 */
export function limitConcurrency(most: number) {
  const waiting = new Map<string, () => Promise<void>>();
  const running = new Set<string>();
  const start = () => {
    for (const [key, work] of waiting) {
      if (running.size >= most) return;
      waiting.delete(key);
      running.add(key);
      void work().finally(() => {
        running.delete(key);
        start();
      });
    }
  };
  return {
    add(key: string, work: () => Promise<void>): void {
      if (waiting.has(key) || running.has(key)) return;
      waiting.set(key, work);
      start();
    },
  };
}
