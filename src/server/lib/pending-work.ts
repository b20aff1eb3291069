/** Promises that are not settled yet. */
export class PendingWork {
  readonly #promises = new Set<Promise<unknown>>();

  /** @returns the promise */
  add<T>(work: Promise<T>): Promise<T> {
    const remove = () => void this.#promises.delete(work);
    this.#promises.add(work);
    work.then(remove, remove);
    return work;
  }

  /** Resolves when all that were added before are settled. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#promises);
  }
}
