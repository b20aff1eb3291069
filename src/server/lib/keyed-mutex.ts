/** The maximum of work of one key that `limited` runs or lets wait. */
const MAX_PER_KEY = 64;

/** Serializes or limits work by key. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #underWay = new Map<string, number>();
  readonly #running = new Set<string>();

  /** Runs work after all earlier work of the same key. */
  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const turn = before ? before.then(work, work) : work();
    const settled = turn.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }

  /**
   * Runs work unless the key has too much work already.
   * @param oneByOne whether work waits for earlier work of the key
   * @param refusal makes the error that is thrown if 64 are running or waiting
   */
  async limited<T>(
    key: string,
    { oneByOne, refusal }: { oneByOne: boolean; refusal: () => Error },
    work: () => Promise<T>,
  ): Promise<T> {
    const count = this.#underWay.get(key) ?? 0;
    if (count >= MAX_PER_KEY) throw refusal();
    this.#underWay.set(key, count + 1);
    try {
      return await (oneByOne ? this.runExclusive(JSON.stringify(['limited', key]), work) : work());
    } finally {
      const left = (this.#underWay.get(key) ?? 1) - 1;
      if (left > 0) this.#underWay.set(key, left);
      else this.#underWay.delete(key);
    }
  }

  /** Runs work unless work of the same key is running. */
  async once(key: string, work: () => Promise<void>): Promise<void> {
    if (this.#running.has(key)) return;
    this.#running.add(key);
    try {
      await work();
    } finally {
      this.#running.delete(key);
    }
  }
}
