/**
 * How much of what is free one client may take: a client alone has at most four fifths, so that the next one
 * finds room at once.
 */
const ALPHA = 4;

/** One level of clients: all, those of one class, of one address, of one user. */
class Group {
  readonly parent: Group | null;
  readonly key: string;
  readonly groups = new Map<string, Group>();
  /** places that are taken, in the order in which they were */
  readonly members = new Set<PlaceOf>();
  /** those of its groups in which work waits, in the order of their turns */
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

/** A client's part of a limiter, from its request's arrival to its end. */
export interface Place {
  /**
   * Waits for the client's turn to run.
   * @returns false where the place was left before
   */
  begin(): Promise<boolean>;
  /** Ends the client's turn, while it still holds its place: its answer is being sent. */
  endTurn(): void;
  /** Gives the place back, whether its work waits, runs or never began. May be called again. */
  leave(): void;
}

interface Limits {
  /** places in all: work that waits or runs */
  readonly places: number;
  /** how many may run at once */
  readonly concurrent: number;
}

/**
 * Shares a limited capacity among clients. A client is named by a path from the largest group to the smallest, such
 * as [class, address, user]; all paths have the same length.
 *
 * - Room is given by hierarchical dynamic thresholds (Choudhury and Hahne, "Dynamic Queue Length Thresholds for
 *   Shared-Memory Packet Switches", 1998): in each group a member may hold at most `ALPHA` times what is free there.
 *   However much one client asks for, another still finds room.
 * - Turns to run go round robin among the groups of each level (fair queueing of units of equal cost), first come
 *   first served within one client, and by the same thresholds: long work of one client leaves turns to others.
 */
export class FairLimiter {
  readonly #limits: Limits;
  readonly #all = new Group(null, '');

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** how many places are taken */
  get taken(): number {
    return this.#all.taken;
  }

  /** how many of them wait for their turn */
  get waiting(): number {
    return this.#all.waitingCount;
  }

  /**
   * Takes a place.
   * @param onEvicted allows `evictOldest` to end what the place is for
   * @returns undefined where the client holds its part, or there is no room at all
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

  /** Ends the client's own oldest work that may be ended. @returns whether there was any */
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

  /** Gives turns as long as there are some. */
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

  /** Called for one that waits, by the limiter. */
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

/** The most that one member may hold of a capacity of which others hold a part; at least one where any is free. */
function threshold(capacity: number, heldByOthers: number): number {
  return Math.ceil((ALPHA * Math.max(0, capacity - heldByOthers)) / (ALPHA + 1));
}

/** Whose turn is next in a group that may run so many at once; its turn is then the last of the round. */
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
