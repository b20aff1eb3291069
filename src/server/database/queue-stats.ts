/** Statistics of a queue, first in, first out. */
export class QueueStats {
  /** when each waiter began to wait, in the order of arrival */
  readonly #since = new Map<object, number>();
  #count = 0;
  #waited = 0;

  /** @returns to be called when the waiter's turn has come, or the wait is cancelled */
  begin(): () => void {
    const one = {};
    const since = performance.now();
    this.#since.set(one, since);
    return () => {
      if (!this.#since.delete(one)) return;
      this.#count += 1;
      this.#waited += performance.now() - since;
    };
  }

  get length(): number {
    return this.#since.size;
  }

  /** how long the first waiter has waited, in milliseconds; 0 if the queue is empty */
  get longest(): number {
    for (const since of this.#since.values()) return performance.now() - since;
    return 0;
  }

  /** the number of finished waits, and their total time in milliseconds */
  get past(): { readonly count: number; readonly waited: number } {
    return { count: this.#count, waited: this.#waited };
  }
}
