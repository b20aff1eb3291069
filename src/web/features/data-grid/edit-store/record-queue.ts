/**
 * Keeps work on each record in order: `work` runs for one record never twice at a time, and again and
 * again until it says that nothing is left. Different records do not wait for each other.
 */
export function createRecordQueue(work: (key: string) => Promise<'more' | 'done'>) {
  const running = new Set<string>();
  const woken = new Set<string>();

  const run = async (key: string): Promise<void> => {
    try {
      // What comes while the last work says that nothing is left is not left either.
      do woken.delete(key);
      while ((await work(key)) === 'more' || woken.has(key));
    } finally {
      running.delete(key);
      woken.delete(key);
    }
  };

  return {
    /** Says that there is work on a record; it starts at once unless some is under way. */
    wake(key: string): Promise<void> {
      if (running.has(key)) {
        woken.add(key);
        return Promise.resolve();
      }
      running.add(key);
      return run(key);
    },
  };
}
