/**
 * How many times the free places one client may hold: a single client has at most four fifths, so that the next client
 * finds room at once.
 */
const ALPHA = 4;

/** One level of clients: all, one class, one address, or one user. */
class Group {
  readonly parent: Group | null;
  readonly key: string;
  readonly groups = new Map<string, Group>();
  /** taken places, in the order in which they were taken */
  readonly members = new Set<PlaceOf>();
  /** the member groups with waiting work, in the order of their turns */
  readonly rounds = new Set<Group>();
  readonly waiting: PlaceOf[] = [];
  taken = 0;
  running = 0;
  waitingCount = 0;

  constructor(parent: Group | null, key: string) {
    this.parent = parent;
    this.key = key;
  }
}

/** A client's place in a limiter, from its request's arrival to its end. */
export interface Place {
  /**
   * Waits for the client's turn to run.
   * @returns false if the place was released before
   */
  begin(): Promise<boolean>;
  /** Ends the client's turn but keeps its place: its answer is being sent. */
  endTurn(): void;
  /** Releases the place, whether its work waits, runs or never began. May be called repeatedly. */
  leave(): void;
}

interface Limits {
  /** total places: work that waits or runs */
  readonly places: number;
  /** how many may run concurrently */
  readonly concurrent: number;
}

/**
 * Shares a limited capacity among clients. A client is identified by a path from the largest group to the smallest,
 * such as [class, address, user]; all paths have the same length.
 * - Places are limited by hierarchical dynamic thresholds (Choudhury and Hahne, "Dynamic Queue Length Thresholds for
 * Shared-Memory Packet Switches", 1998): in each group a member may hold at most `ALPHA` times the free places. However
 * much one client requests, another still finds room.
 * - Turns to run are given round robin among the groups of each level (fair queueing of units of equal cost), first in,
 * first out within one client, and with the same thresholds: long work of one client leaves turns to others.
 */
export class FairLimiter {
  readonly #limits: Limits;
  readonly #all = new Group(null, '');

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** the number of taken places */
  get taken(): number {
    return this.#all.taken;
  }

  /** the number of places that wait for their turn */
  get waiting(): number {
    return this.#all.waitingCount;
  }

  /**
   * Takes a place.
   * @param onEvicted lets `evictOldest` end the work of the place
   * @returns undefined if the client has its share, or no place is free
   */
  enter(path: readonly string[], onEvicted?: () => void): Place | undefined {
    let group = this.#all;
    let capacity = this.#limits.places;
    for (const key of path) {
      const next = group.groups.get(key) ?? new Group(group, key);
      capacity = threshold(capacity, group.taken - next.taken);
      if (next.taken >= capacity) return undefined;
      group = next;
    }
    const place = new PlaceOf(this, group, onEvicted);
    group.members.add(place);
    for (let g: Group | null = group; g; g = g.parent) {
      g.taken += 1;
      g.parent?.groups.set(g.key, g);
    }
    return place;
  }

  /** Ends the client's own oldest work that can be evicted. @returns whether there was any */
  evictOldest(path: readonly string[]): boolean {
    let group: Group | undefined = this.#all;
    for (const key of path) group = group?.groups.get(key);
    for (const place of group?.members ?? []) {
      if (!place.onEvicted) continue;
      place.leave();
      place.onEvicted();
      return true;
    }
    return false;
  }

  /** Gives turns to waiting work while the limits allow it. */
  dispatch(): void {
    while (this.#all.running < this.#limits.concurrent) {
      const place = next(this.#all, this.#limits.concurrent);
      if (!place) return;
      place.start();
    }
  }
}

class PlaceOf implements Place {
  readonly onEvicted: (() => void) | undefined;
  readonly #limiter: FairLimiter;
  readonly #group: Group;
  #state: 'taken' | 'waiting' | 'running' | 'left' = 'taken';
  #settle: (began: boolean) => void = () => undefined;

  constructor(limiter: FairLimiter, group: Group, onEvicted: (() => void) | undefined) {
    this.#limiter = limiter;
    this.#group = group;
    this.onEvicted = onEvicted;
  }

  begin(): Promise<boolean> {
    if (this.#state !== 'taken') return Promise.resolve(this.#state === 'running');
    this.#state = 'waiting';
    this.#group.waiting.push(this);
    for (let g: Group | null = this.#group; g; g = g.parent) {
      g.waitingCount += 1;
      g.parent?.rounds.add(g);
    }
    const began = new Promise<boolean>((resolve) => {
      this.#settle = resolve;
    });
    this.#limiter.dispatch();
    return began;
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
    this.#state = 'taken';
    for (let g: Group | null = this.#group; g; g = g.parent) g.running -= 1;
    this.#limiter.dispatch();
  }

  leave(): void {
    this.endTurn();
    const before = this.#state;
    if (before === 'left') return;
    if (before === 'waiting') this.#stopWaiting();
    this.#state = 'left';
    this.#group.members.delete(this);
    for (let g: Group | null = this.#group; g; g = g.parent) {
      g.taken -= 1;
      if (g.taken === 0) g.parent?.groups.delete(g.key);
    }
    this.#settle(false);
  }

  #stopWaiting(): void {
    const at = this.#group.waiting.indexOf(this);
    this.#group.waiting.splice(at, 1);
    for (let g: Group | null = this.#group; g; g = g.parent) {
      g.waitingCount -= 1;
      if (g.waitingCount === 0) g.parent?.rounds.delete(g);
    }
  }
}

/** The most that one member may hold of a capacity that it shares with others; at least one if any is free. */
function threshold(capacity: number, heldByOthers: number): number {
  return Math.ceil((ALPHA * Math.max(0, capacity - heldByOthers)) / (ALPHA + 1));
}

/** The next member of a group with this capacity; it then becomes the last of the round. */
function next(group: Group, capacity: number): PlaceOf | undefined {
  const [own] = group.waiting;
  if (own) return own;
  for (const candidate of group.rounds) {
    const most = threshold(capacity, group.running - candidate.running);
    if (candidate.running >= most) continue;
    const place = next(candidate, most);
    if (!place) continue;
    group.rounds.delete(candidate);
    group.rounds.add(candidate);
    return place;
  }
  return undefined;
}
