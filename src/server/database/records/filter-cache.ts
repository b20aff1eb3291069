import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName } from './columns.ts';
import type { Sql } from './comparisons.ts';
import { type RowIdBitmap, readMeeting } from './row-id-bitmap.ts';
import { ChangeFeed } from './change-feed.ts';
import { SortOrderCache, type OrderedBy } from './sort-order-cache.ts';

/** Memory for all that a thread keeps, in bytes; what was not used for longest goes first. */
const MOST_BYTES = 24 * 1024 * 1024;

const MOST_WANTED = 1_000;

/**
 * Which records meet what was asked for before, and in which order they stand, kept by a thread that reads from one
 * request to the next. Every change of a record leaves an entry in the history in the same transaction, so what has
 * changed between two snapshots is known exactly, and only those records are asked again.
 */
export class FilterCache {
  readonly #collections = new Map<string, CollectionCache>();
  readonly #mostBytes: number;

  /** @param mostBytes for tests */
  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** What is kept of an archive or table, as of this snapshot; null where something newer is kept. */
  async of(db: Transaction, collection: Collection): Promise<CollectionCache | null> {
    const name = tableName(collection);
    const kept = this.#collections.get(name) ?? new CollectionCache(collection);
    // A map's order tells which was not used for longest.
    this.#collections.delete(name);
    this.#collections.set(name, kept);
    this.#makeRoom();
    return (await kept.changes.follow(db)) ? kept : null;
  }

  #makeRoom(): void {
    let bytes = 0;
    for (const collection of this.#collections.values()) bytes += collection.bytes;
    for (const collection of this.#collections.values()) {
      while (bytes > this.#mostBytes) {
        const freed = collection.forgetOldest();
        if (freed === 0) break;
        bytes -= freed;
      }
    }
  }
}

/** What the records of a set have in common. */
export interface SetOf {
  /** tells it from all else that is kept */
  readonly key: string;
  /** whether a record meets it */
  readonly test: Sql;
  /** the field that it is about; null: any change of a record may change whether it does */
  readonly name: string | null;
}

interface KeptSet {
  readonly set: RowIdBitmap;
  /** up to which entry of the history it is true */
  upTo: number;
}

/** What is kept of one archive or table. */
export class CollectionCache {
  readonly changes: ChangeFeed;
  readonly #sets = new Map<string, KeptSet>();
  readonly #orders = new Map<string, SortOrderCache>();
  readonly #wanted = new Set<string>();

  constructor(collection: Pick<Collection, 'kind' | 'id'>) {
    this.changes = new ChangeFeed(collection);
  }

  /** The records that meet something, found once and then kept. */
  async set(
    db: Transaction,
    collection: Collection,
    of: SetOf,
    find: () => Promise<RowIdBitmap>,
  ): Promise<RowIdBitmap> {
    const known = await this.known(db, collection, of);
    if (known) return known;
    const set = await find();
    this.keep(of, set);
    return set;
  }

  /** The same where it is kept, else undefined. */
  async known(
    db: Transaction,
    collection: Collection,
    { key, test, name }: SetOf,
  ): Promise<RowIdBitmap | undefined> {
    const kept = this.#sets.get(key);
    if (!kept) return undefined;
    this.#sets.delete(key);
    const changed = this.changes.since(kept.upTo, name);
    if (!changed) return undefined;
    if (changed.length > 0) {
      const ids = Float64Array.from(changed);
      const meeting = new Set(await readMeeting(db, collection, ids, test));
      for (const id of changed) kept.set.set(id, meeting.has(id));
    }
    kept.upTo = this.changes.upTo;
    this.#sets.set(key, kept);
    return kept.set;
  }

  /** Whether something was asked for before; from now on it was. */
  isWanted(key: string): boolean {
    if (this.#wanted.has(key)) return true;
    if (this.#wanted.size >= MOST_WANTED) this.#wanted.clear();
    this.#wanted.add(key);
    return false;
  }

  /** Keeps a set that was found on this snapshot. */
  keep({ key }: SetOf, set: RowIdBitmap): void {
    this.#sets.set(key, { set, upTo: this.changes.upTo });
  }

  /**
   * The records that have a value, in the order of an index; null where that is not kept. It is from the second
   * time on that it is asked for, as reading a whole index takes longer than following it once.
   */
  async order(
    db: Transaction,
    collection: Collection,
    by: OrderedBy,
  ): Promise<SortOrderCache | null> {
    const kept = this.#orders.get(by.index);
    if (kept) {
      this.#orders.delete(by.index);
      if (await kept.follow(db, collection, this.changes)) {
        this.#orders.set(by.index, kept);
        return kept;
      }
    }
    if (!this.isWanted(by.index)) return null;
    const order = await SortOrderCache.read(db, collection, by, this.changes.upTo);
    this.#orders.set(by.index, order);
    return order;
  }

  /** The same where it is kept, else null. */
  async knownOrder(
    db: Transaction,
    collection: Collection,
    by: OrderedBy,
  ): Promise<SortOrderCache | null> {
    return this.#orders.has(by.index) ? this.order(db, collection, by) : null;
  }

  /** memory, in bytes */
  get bytes(): number {
    return this.#bytesOfOrders() + this.#bytesOfSets();
  }

  /** @returns how many bytes are free again; 0 where nothing was left to forget */
  forgetOldest(): number {
    const before = this.bytes;
    const held = this.#bytesOfOrders() > this.#bytesOfSets() ? this.#orders : this.#sets;
    for (const key of held.keys()) {
      held.delete(key);
      break;
    }
    return before - this.bytes;
  }

  #bytesOfOrders(): number {
    let bytes = 0;
    for (const order of this.#orders.values()) bytes += order.bytes;
    return bytes;
  }

  #bytesOfSets(): number {
    let bytes = 0;
    for (const { set } of this.#sets.values()) bytes += set.bytes + OVERHEAD;
    return bytes;
  }
}

/** What a set takes beside its ids, about. */
const OVERHEAD = 512;
