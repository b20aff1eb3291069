import { QueueStats } from './queue-stats.ts';

/** The user who requests a slot; undefined: the service itself. */
type Owner = number | undefined;

interface Waiter {
  readonly owner: Owner;
  admit(): void;
}

/**
 * Slots for concurrent work, shared fairly between users: one user holds at most `mostEach` slots, and a free slot goes
 * to the waiting user who holds the fewest, then to the one who has waited longest.
 */
export class FairSemaphore {
  readonly waiting = new QueueStats();
  readonly #most: number;
  readonly #mostEach: number;
  readonly #held = new Map<Owner, number>();
  readonly #waiters: Waiter[] = [];
  #taken = 0;

  /**
   * @param most slots in total
   * @param mostEach slots for one user
   */
  constructor(most: number, mostEach: number) {
    this.#most = most;
    this.#mostEach = mostEach;
  }

  /**
   * Acquires a slot, at once if one is free for this user.
   * @param signal cancels the wait
   * @returns releases the slot
   * @throws the reason of `signal`
   */
  async acquire(owner: Owner, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken < this.#most && this.#heldBy(owner) < this.#mostEach) return this.#hold(owner);
    const admitted = this.waiting.begin();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter: Waiter = { owner, admit: () => resolve(this.#hold(owner)) };
    const leave = () => {
      const at = this.#waiters.indexOf(waiter);
      if (at < 0) return;
      this.#waiters.splice(at, 1);
      reject(signal.reason);
    };
    this.#waiters.push(waiter);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await promise;
    } finally {
      admitted();
      signal.removeEventListener('abort', leave);
    }
  }

  #heldBy(owner: Owner): number {
    return this.#held.get(owner) ?? 0;
  }

  #hold(owner: Owner): () => void {
    this.#taken += 1;
    this.#held.set(owner, this.#heldBy(owner) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#taken -= 1;
      const left = this.#heldBy(owner) - 1;
      if (left > 0) this.#held.set(owner, left);
      else this.#held.delete(owner);
      this.#admitNext();
    };
  }

  #admitNext(): void {
    while (this.#taken < this.#most) {
      let next: Waiter | undefined;
      for (const waiter of this.#waiters) {
        const held = this.#heldBy(waiter.owner);
        if (held >= this.#mostEach) continue;
        if (!next || held < this.#heldBy(next.owner)) next = waiter;
      }
      if (!next) return;
      this.#waiters.splice(this.#waiters.indexOf(next), 1);
      next.admit();
    }
  }
}
