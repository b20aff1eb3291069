/**
 * A member of a group may hold at most this many times the slots that are free there: a single client gets at most four fifths,
 * so that the next client gets a slot at once.
 */
const ALPHA = 4;

/** One level of clients: all, one class, one address, or one user. */
class Group {
  readonly parent: Group | null;
  readonly key: string;
  readonly groups = new Map<string, Group>();
  /** held slots, in the order in which they were acquired */
  readonly slots = new Set<LimiterSlot>();
  /** the member groups with waiting work, in the order of their turns */
  readonly roundRobin = new Set<Group>();
  readonly waiting: LimiterSlot[] = [];
  taken = 0;
  running = 0;
  waitingCount = 0;

  constructor(parent: Group | null, key: string) {
    this.parent = parent;
    this.key = key;
  }
}

/** A client's slot of a limiter, from the arrival of its request to its end. */
export interface Slot {
  /**
   * Waits for the client's turn to run.
   * @returns false if the slot was released before
   */
  waitForTurn(): Promise<boolean>;
  /** Ends the client's turn, but not the slot: its answer is being sent. */
  endTurn(): void;
  /** Releases the slot, whether its work waits, runs or was never started. May be called repeatedly. */
  release(): void;
}

interface Limits {
  /** total slots: work that waits or runs */
  readonly capacity: number;
  /** how many may run concurrently */
  readonly maxRunning: number;
}

/**
 * Shares a limited capacity among clients. A client is identified by a path from the largest group to the smallest,
 * such as [class, address, user]; all paths have the same length.
 * - Slots are limited by hierarchical dynamic thresholds (Choudhury and Hahne, "Dynamic Queue Length Thresholds for
 * Shared-Memory Packet Switches", 1998): in each group a member may hold at most `ALPHA` times the free slots. However
 * much one client requests, another still gets a slot.
 * - Turns to run are given round robin among the groups of each level (fair queueing of units of equal cost), first in,
 * first out within one client, and with the same thresholds: long work of one client leaves turns to others.
 */
export class FairLimiter {
  readonly #limits: Limits;
  readonly #root = new Group(null, '');

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** the number of taken slots */
  get taken(): number {
    return this.#root.taken;
  }

  /** the number of slots that wait for their turn */
  get waiting(): number {
    return this.#root.waitingCount;
  }

  /**
   * Acquires a slot.
   * @param onEvicted lets `evictOldest` end the work of the slot
   * @returns undefined if the client has its share, or no slot is free
   */
  acquire(path: readonly string[], onEvicted?: () => void): Slot | undefined {
    let group = this.#root;
    let capacity = this.#limits.capacity;
    for (const key of path) {
      const next = group.groups.get(key) ?? new Group(group, key);
      capacity = threshold(capacity, group.taken - next.taken);
      if (next.taken >= capacity) return undefined;
      group = next;
    }
    const slot = new LimiterSlot(this, group, onEvicted);
    group.slots.add(slot);
    for (let g: Group | null = group; g; g = g.parent) {
      g.taken += 1;
      g.parent?.groups.set(g.key, g);
    }
    return slot;
  }

  /** Ends the client's own oldest work that can be evicted. @returns whether there was any */
  evictOldest(path: readonly string[]): boolean {
    let group: Group | undefined = this.#root;
    for (const key of path) group = group?.groups.get(key);
    for (const slot of group?.slots ?? []) {
      if (!slot.onEvicted) continue;
      slot.release();
      slot.onEvicted();
      return true;
    }
    return false;
  }

  /** Gives turns to waiting work while the limits allow it. */
  dispatch(): void {
    while (this.#root.running < this.#limits.maxRunning) {
      const slot = nextToRun(this.#root, this.#limits.maxRunning);
      if (!slot) return;
      slot.start();
    }
  }
}

class LimiterSlot implements Slot {
  readonly onEvicted: (() => void) | undefined;
  readonly #limiter: FairLimiter;
  readonly #group: Group;
  #state: 'idle' | 'waiting' | 'running' | 'released' = 'idle';
  #settle: (hasStarted: boolean) => void = () => undefined;

  constructor(limiter: FairLimiter, group: Group, onEvicted: (() => void) | undefined) {
    this.#limiter = limiter;
    this.#group = group;
    this.onEvicted = onEvicted;
  }

  waitForTurn(): Promise<boolean> {
    if (this.#state !== 'idle') return Promise.resolve(this.#state === 'running');
    this.#state = 'waiting';
    this.#group.waiting.push(this);
    for (let g: Group | null = this.#group; g; g = g.parent) {
      g.waitingCount += 1;
      g.parent?.roundRobin.add(g);
    }
    const hasStarted = new Promise<boolean>((resolve) => {
      this.#settle = resolve;
    });
    this.#limiter.dispatch();
    return hasStarted;
  }

  /** Called by the limiter to start waiting work. */
  start(): void {
    this.#stopWaiting();
    this.#state = 'running';
    for (let g: Group | null = this.#group; g; g = g.parent) g.running += 1;
    this.#settle(true);
  }

  endTurn(): void {
    if (this.#state !== 'running') return;
    this.#state = 'idle';
    for (let g: Group | null = this.#group; g; g = g.parent) g.running -= 1;
    this.#limiter.dispatch();
  }

  release(): void {
    this.endTurn();
    const state = this.#state;
    if (state === 'released') return;
    if (state === 'waiting') this.#stopWaiting();
    this.#state = 'released';
    this.#group.slots.delete(this);
    for (let g: Group | null = this.#group; g; g = g.parent) {
      g.taken -= 1;
      if (g.taken === 0) g.parent?.groups.delete(g.key);
    }
    this.#settle(false);
  }

  #stopWaiting(): void {
    const index = this.#group.waiting.indexOf(this);
    this.#group.waiting.splice(index, 1);
    for (let g: Group | null = this.#group; g; g = g.parent) {
      g.waitingCount -= 1;
      if (g.waitingCount === 0) g.parent?.roundRobin.delete(g);
    }
  }
}

/** The most that one member may hold of a capacity that it shares with others; at least one if any is free. */
function threshold(capacity: number, heldByOthers: number): number {
  return Math.ceil((ALPHA * Math.max(0, capacity - heldByOthers)) / (ALPHA + 1));
}

/** The next member of a group with this capacity; it then becomes the last of the round. */
function nextToRun(group: Group, capacity: number): LimiterSlot | undefined {
  const [first] = group.waiting;
  if (first) return first;
  for (const candidate of group.roundRobin) {
    const limit = threshold(capacity, group.running - candidate.running);
    if (candidate.running >= limit) continue;
    const slot = nextToRun(candidate, limit);
    if (!slot) continue;
    group.roundRobin.delete(candidate);
    group.roundRobin.add(candidate);
    return slot;
  }
  return undefined;
}
