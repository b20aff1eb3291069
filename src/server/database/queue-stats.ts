/** Keeps account of what waits for its turn, first come first. */
export class QueueStats {
  /** when each began to wait, in the order of their coming */
  readonly #since = new Map<object, number>();
  #count = 0;
  #waited = 0;

  /** @returns to be called when the turn has come, or will not come any more */
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

  /** milliseconds for which the first has been waiting; 0 where nothing waits */
  get longest(): number {
    for (const since of this.#since.values()) return performance.now() - since;
    return 0;
  }

  /** what does not wait any more, and for how many milliseconds it waited together */
  get past(): { readonly count: number; readonly waited: number } {
    return { count: this.#count, waited: this.#waited };
  }
}
