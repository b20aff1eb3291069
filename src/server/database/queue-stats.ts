/** Statistics of a queue, first in, first out. */
export class QueueStats {
  /** when each waiter began to wait, in the order of arrival */
  readonly #since = new Map<object, number>();
  #count = 0;
  #waitedMs = 0;

  /** @returns `endWait`, to be called when the waiter's turn has come, or the wait is cancelled */
  startWait(): () => void {
    const waiter = {};
    const since = performance.now();
    this.#since.set(waiter, since);
    return () => {
      if (!this.#since.delete(waiter)) return;
      this.#count += 1;
      this.#waitedMs += performance.now() - since;
    };
  }

  get length(): number {
    return this.#since.size;
  }

  /** how long the first waiter has waited, in milliseconds; 0 if the queue is empty */
  get longestWait(): number {
    for (const since of this.#since.values()) return performance.now() - since;
    return 0;
  }

  /** the number of finished waits, and their total time in milliseconds */
  get finishedWaits(): { readonly count: number; readonly waitedMs: number } {
    return { count: this.#count, waitedMs: this.#waitedMs };
  }
}
