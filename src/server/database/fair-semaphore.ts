import { QueueStats } from './queue-stats.ts';

/** The user who requests a slot; undefined: the service itself. */
type Owner = number | undefined;

interface Waiter {
  readonly owner: Owner;
  admit(): void;
}

/**
 * Slots for concurrent work, shared fairly between users: one user holds at most `capacityPerOwner` slots, and a free slot goes
 * to the waiting user who holds the fewest, then to the one who has waited longest.
 */
export class FairSemaphore {
  readonly waiting = new QueueStats();
  readonly #capacity: number;
  readonly #capacityPerOwner: number;
  readonly #held = new Map<Owner, number>();
  readonly #waiters: Waiter[] = [];
  #taken = 0;

  /**
   * @param capacity slots in total
   * @param capacityPerOwner slots for one user
   */
  constructor(capacity: number, capacityPerOwner: number) {
    this.#capacity = capacity;
    this.#capacityPerOwner = capacityPerOwner;
  }

  /**
   * Acquires a slot, at once if one is free for this user.
   * @param signal cancels the wait
   * @returns releases the slot
   * @throws the reason of `signal`
   */
  async acquire(owner: Owner, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken < this.#capacity && this.#heldBy(owner) < this.#capacityPerOwner)
      return this.#hold(owner);
    const endWait = this.waiting.startWait();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter: Waiter = { owner, admit: () => resolve(this.#hold(owner)) };
    const cancelWait = () => {
      const index = this.#waiters.indexOf(waiter);
      if (index < 0) return;
      this.#waiters.splice(index, 1);
      reject(signal.reason);
    };
    this.#waiters.push(waiter);
    signal.addEventListener('abort', cancelWait, { once: true });
    try {
      return await promise;
    } finally {
      endWait();
      signal.removeEventListener('abort', cancelWait);
    }
  }

  #heldBy(owner: Owner): number {
    return this.#held.get(owner) ?? 0;
  }

  #hold(owner: Owner): () => void {
    this.#taken += 1;
    this.#held.set(owner, this.#heldBy(owner) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#taken -= 1;
      const remaining = this.#heldBy(owner) - 1;
      if (remaining > 0) this.#held.set(owner, remaining);
      else this.#held.delete(owner);
      this.#admitNext();
    };
  }

  #admitNext(): void {
    while (this.#taken < this.#capacity) {
      let next: Waiter | undefined;
      for (const waiter of this.#waiters) {
        const held = this.#heldBy(waiter.owner);
        if (held >= this.#capacityPerOwner) continue;
        if (!next || held < this.#heldBy(next.owner)) next = waiter;
      }
      if (!next) return;
      this.#waiters.splice(this.#waiters.indexOf(next), 1);
      next.admit();
    }
  }
}
