import { sql, type RawBuilder } from 'kysely';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName, type Stored } from './columns.ts';
import type { Sql } from './comparisons.ts';
import { idRows, readIdList, type RowIdBitmap } from './row-id-bitmap.ts';
import type { ChangeFeed } from './change-feed.ts';
import { byIndex } from './source.ts';

/** An index that is followed. */
export interface OrderedBy {
  readonly index: string;
  readonly expression: RawBuilder<unknown>;
  /** whether a record has a value */
  readonly filled: Sql;
  /** of the field; null where each change of a record changes it */
  readonly name: string | null;
}

/** Up to so many records are looked for one by one: 0.2 ms each among a million. */
const FEW_PLACES = 64;

/** With more changes at once the index is read anew. */
const MOST_CHANGES = 1_000;

/** The records that have a value, in the order of an index: by the value, then by the id. */
export class SortOrderCache {
  readonly #by: OrderedBy;
  #ids: Float64Array | Uint32Array;
  /** up to which entry of the history it is true */
  #upTo: number;

  private constructor(by: OrderedBy, ids: Float64Array | Uint32Array, upTo: number) {
    this.#by = by;
    this.#ids = ids;
    this.#upTo = upTo;
  }

  static async read(
    db: Transaction,
    collection: Collection,
    by: OrderedBy,
    upTo: number,
  ): Promise<SortOrderCache> {
    const { index, expression, filled } = by;
    const ids = await readIdList(
      db,
      sql`select _id from ${byIndex(collection, index)} where ${filled} order by ${expression}, _id`,
    );
    return new SortOrderCache(by, isSmall(ids) ? Uint32Array.from(ids) : ids, upTo);
  }

  get bytes(): number {
    return this.#ids.byteLength;
  }
  get size(): number {
    return this.#ids.length;
  }

  /** Where a record stands; -1 where it has no value. */
  indexOf(id: number): number {
    return this.#ids.indexOf(id);
  }

  /**
   * Those that are members from a place on, forwards or backwards.
   * @param members null: all
   * @returns the ids, and how many members were still to be passed over
   */
  walk(
    members: RowIdBitmap | null,
    from: number,
    backwards: boolean,
    offset: number,
    limit: number,
  ): { readonly ids: number[]; readonly skip: number } {
    const ids: number[] = [];
    const step = backwards ? -1 : 1;
    let skip = offset;
    let at = from;
    if (!members && skip > 0) {
      const passed = Math.min(skip, backwards ? at + 1 : this.#ids.length - at);
      at += step * passed;
      skip -= passed;
    }
    for (; at >= 0 && at < this.#ids.length && ids.length < limit; at += step) {
      const id = this.#ids[at] ?? 0;
      if (members && !members.has(id)) continue;
      if (skip > 0) skip -= 1;
      else ids.push(id);
    }
    return { ids, skip };
  }

  /** How many members stand from a place on, before another. */
  count(members: RowIdBitmap | null, from: number, to: number): number {
    if (!members) return to - from;
    let count = 0;
    for (let at = from; at < to; at++) if (members.has(this.#ids[at] ?? 0)) count += 1;
    return count;
  }

  /** Brings it to the snapshot that is known of. @returns false where too much has changed */
  async follow(db: Transaction, collection: Collection, changes: ChangeFeed): Promise<boolean> {
    const changed = changes.since(this.#upTo, this.#by.name);
    if (!changed || changed.length > MOST_CHANGES) return false;
    if (changed.length > 0) await this.#place(db, collection, changed);
    this.#upTo = changes.upTo;
    return true;
  }

  async #place(db: Transaction, collection: Collection, changed: readonly number[]): Promise<void> {
    const { expression } = this.#by;
    const { rows } = await sql<{ id: number; place: Stored }>`
      select _id as id, ${expression} as place
      from ${idRows(Float64Array.from(changed))} as one cross join ${sql.table(tableName(collection))} on _id = one.value
      where ${expression} is not null order by ${expression}, _id`.execute(db.k);
    const removed = new Set(changed);
    // From the last on: whose neighbour has changed as well stands where that one stands.
    const before = new Map<number | null, number[]>();
    let [neighbour, follower]: (number | null)[] = [null, null];
    for (const { id, place } of rows.toReversed()) {
      const next = await this.#nextTo(db, collection, place, id);
      neighbour = next !== null && next === follower ? (neighbour ?? null) : next;
      follower = id;
      before.set(neighbour, [id, ...(before.get(neighbour) ?? [])]);
    }
    const length = this.#ids.length + rows.length;
    const added = rows.map(({ id }) => id);
    const ids =
      this.#ids instanceof Uint32Array && isSmall(added)
        ? new Uint32Array(length)
        : new Float64Array(length);
    let [from, count] = [0, 0];
    const copyTo = (to: number) => {
      ids.set(this.#ids.subarray(from, to), count);
      count += to - from;
    };
    for (const at of this.#placesOf(new Set([...changed, ...before.keys()]))) {
      copyTo(at);
      const id = this.#ids[at] ?? 0;
      for (const other of before.get(id) ?? []) ids[count++] = other;
      if (!removed.has(id)) ids[count++] = id;
      from = at + 1;
    }
    copyTo(this.#ids.length);
    for (const other of before.get(null) ?? []) ids[count++] = other;
    this.#ids = ids.subarray(0, count);
  }

  /** Where the records of some ids stand, ascending; those without a value nowhere. */
  #placesOf(wanted: ReadonlySet<number | null>): number[] {
    const places: number[] = [];
    if (wanted.size > FEW_PLACES) {
      for (const [at, id] of this.#ids.entries()) if (wanted.has(id)) places.push(at);
      return places;
    }
    for (const id of wanted) {
      const at = id === null ? -1 : this.#ids.indexOf(id);
      if (at >= 0) places.push(at);
    }
    return places.sort((a, b) => a - b);
  }

  /** The record that comes next in the index. */
  async #nextTo(
    db: Transaction,
    collection: Collection,
    place: Stored,
    id: number,
  ): Promise<number | null> {
    const { index, expression } = this.#by;
    const table = byIndex(collection, index);
    const [equal] = await readIdList(
      db,
      sql`select _id from ${table} where ${expression} = ${place} and _id > ${id} order by _id limit 1`,
    );
    if (equal !== undefined) return equal;
    const [greater] = await readIdList(
      db,
      sql`select _id from ${table} where ${expression} > ${place} order by ${expression}, _id limit 1`,
    );
    return greater ?? null;
  }
}

/** Whether ids fit into 32 bits. */
function isSmall(ids: Float64Array | readonly number[]): boolean {
  for (const id of ids) if (id >= 2 ** 32 || id < 0) return false;
  return true;
}
