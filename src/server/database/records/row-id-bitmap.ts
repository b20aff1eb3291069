import { sql, type RawBuilder } from 'kysely';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName } from './columns.ts';
import type { Sql } from './comparisons.ts';

/** Ids that an index has found, for asking whether a record is among them. */
export class RowIdBitmap {
  #held: Bits | Set<number>;
  #ascending: Float64Array | undefined;

  /** @param found may name an id twice */
  constructor(found: Float64Array | Bits) {
    if (found instanceof Bits) {
      this.#held = found;
      return;
    }
    const most = highest(found);
    const dense = most < Math.min(MAX_BITS, found.length * BITS_EACH);
    this.#held = dense ? Bits.of(found, most) : new Set(found);
  }

  /** All ids from `least` to `most`. */
  static range(least: number, most: number): RowIdBitmap {
    return new RowIdBitmap(Bits.range(least, most));
  }

  get size(): number {
    return this.#held.size;
  }
  /** memory, in bytes */
  get bytes(): number {
    const listed = this.#ascending ? this.#ascending.byteLength : 0;
    return listed + (this.#held instanceof Bits ? this.#held.bytes : this.#held.size * 40);
  }
  get ascending(): Float64Array {
    this.#ascending ??=
      this.#held instanceof Bits
        ? this.#held.ascending()
        : Float64Array.from(this.#held).toSorted();
    return this.#ascending;
  }
  has(id: number): boolean {
    return this.#held.has(id);
  }
  /** Puts an id among them or takes it away. */
  set(id: number, among: boolean): void {
    if (this.#held.has(id) === among) return;
    if (among && this.#held instanceof Bits && !this.#held.reaches(id))
      this.#held = new Set(this.ascending);
    this.#ascending = undefined;
    if (among) this.#held.add(id);
    else this.#held.delete(id);
  }
  /** Those of other ids that are among these, or that are not, in their order. */
  among(ids: Float64Array, wanted = true): Float64Array {
    // The arrays' own `filter` takes ten times as long.
    const kept = new Float64Array(ids.length);
    let count = 0;
    for (const id of ids) if (this.#held.has(id) === wanted) kept[count++] = id;
    return kept.subarray(0, count);
  }
  /** Those of these ids that are among others, or that are not. */
  meet(others: RowIdBitmap, wanted = true): RowIdBitmap {
    const [held, asked] = [this.#held, others.#held];
    if (held instanceof Bits && asked instanceof Bits)
      return new RowIdBitmap(held.meet(asked, wanted));
    // The fewer are asked one by one.
    if (wanted && others.size < this.size) return new RowIdBitmap(this.among(others.ascending));
    return new RowIdBitmap(others.among(this.ascending, wanted));
  }
  /** A stretch of them in their order. */
  slice(offset: number, limit: number): number[] {
    if (this.#held instanceof Bits) return this.#held.slice(offset, limit);
    return [...this.ascending.subarray(offset, offset + limit)];
  }
  /** How many are lower than an id. */
  countBelow(id: number): number {
    if (this.#held instanceof Bits) return this.#held.countBelow(id);
    let count = 0;
    for (const other of this.#held) if (other < id) count += 1;
    return count;
  }
}

/** One bit for each id up to the highest. */
class Bits {
  #words: Uint32Array;
  #size: number;

  private constructor(words: Uint32Array, size: number) {
    this.#words = words;
    this.#size = size;
  }

  static of(ids: Float64Array, most: number): Bits {
    const words = new Uint32Array(Math.floor(most / 32) + 1);
    let size = 0;
    for (const id of ids) {
      const [at, bit] = [id >>> 5, 1 << (id & 31)];
      const word = words[at] ?? 0;
      if ((word & bit) !== 0) continue;
      words[at] = word | bit;
      size += 1;
    }
    return new Bits(words, size);
  }
  static range(least: number, most: number): Bits {
    const words = new Uint32Array(Math.floor(most / 32) + 1).fill(0xffffffff);
    words.fill(0, 0, least >>> 5);
    words[least >>> 5] = (words[least >>> 5] ?? 0) & (0xffffffff << (least & 31));
    const last = words.length - 1;
    words[last] = (words[last] ?? 0) & (0xffffffff >>> (31 - (most & 31)));
    return new Bits(words, most - least + 1);
  }

  get size(): number {
    return this.#size;
  }
  get bytes(): number {
    return this.#words.byteLength;
  }
  has(id: number): boolean {
    // Ids that are asked for may be beyond 32 bits.
    return ((this.#words[Math.floor(id / 32)] ?? 0) & (1 << (id & 31))) !== 0;
  }
  /** Whether an id is not so far beyond the others that a `Set` takes less. */
  reaches(id: number): boolean {
    return id < Math.min(MAX_BITS, Math.max(this.#words.length * 64, (this.#size + 1) * BITS_EACH));
  }
  add(id: number): void {
    const at = id >>> 5;
    if (at >= this.#words.length) {
      const words = new Uint32Array(at + Math.min(at, MOST_SPARE) + 1);
      words.set(this.#words);
      this.#words = words;
    }
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (id & 31));
    this.#size += 1;
  }
  delete(id: number): void {
    const at = id >>> 5;
    this.#words[at] = (this.#words[at] ?? 0) & ~(1 << (id & 31));
    this.#size -= 1;
  }
  ascending(): Float64Array {
    const ids = new Float64Array(this.#size);
    let count = 0;
    for (const [at, word] of this.#words.entries()) {
      for (let bits = word; bits !== 0; bits &= bits - 1) {
        ids[count++] = at * 32 + 31 - Math.clz32(bits & -bits);
      }
    }
    return ids;
  }
  meet(others: Bits, wanted: boolean): Bits {
    const words = wanted
      ? this.#words.slice(0, Math.min(this.#words.length, others.#words.length))
      : this.#words.slice();
    let size = 0;
    for (let at = 0; at < words.length; at++) {
      const other = others.#words[at] ?? 0;
      const word = (words[at] ?? 0) & (wanted ? other : ~other);
      words[at] = word;
      size += ones(word);
    }
    return new Bits(words, size);
  }
  slice(offset: number, limit: number): number[] {
    const ids: number[] = [];
    let skip = offset;
    for (let at = 0; at < this.#words.length && ids.length < limit; at++) {
      const word = this.#words[at] ?? 0;
      if (skip > 0) {
        const count = ones(word);
        if (count <= skip) {
          skip -= count;
          continue;
        }
      }
      for (let bits = word; bits !== 0 && ids.length < limit; bits &= bits - 1) {
        if (skip > 0) skip -= 1;
        else ids.push(at * 32 + 31 - Math.clz32(bits & -bits));
      }
    }
    return ids;
  }
  countBelow(id: number): number {
    const last = Math.min(Math.floor(id / 32), this.#words.length);
    let count = 0;
    for (let at = 0; at < last; at++) count += ones(this.#words[at] ?? 0);
    const below = (this.#words[last] ?? 0) & ((1 << (id & 31)) - 1);
    return count + ones(below);
  }
}

/** How many bits of a word are set. */
function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Words that are added for the ids to come, where bits grow. */
const MOST_SPARE = 1_024;

/** A `Set` takes some 40 bytes for each id; bits may take as much. */
const BITS_EACH = 320;
const MAX_BITS = 2 ** 31;

function highest(ids: Float64Array): number {
  let most = 0;
  for (const id of ids) if (id > most) most = id;
  return most;
}

/**
 * Runs a select of `_id` on SQLite. One text with all ids takes a sixth of the time of as many rows
 * (3 ms against 18 ms for 59,000).
 */
export async function readIdList(
  db: Transaction,
  select: RawBuilder<unknown>,
): Promise<Float64Array> {
  const { rows } = await sql<{ count: number; ids: string | null }>`
    select count(*) as count, group_concat(_id) as ids from (${select})`.execute(db.k);
  const { count = 0, ids = null } = rows[0] ?? {};
  return ids === null ? new Float64Array(0) : readNumbers(ids, count);
}

/** Those of some ids whose records meet something, by a look at each, on SQLite. */
export function readMeeting(
  db: Transaction,
  collection: Collection,
  ids: Float64Array,
  test: Sql,
): Promise<Float64Array> {
  return readIdList(
    db,
    sql`select _id from ${idRows(ids)} as one cross join ${sql.table(tableName(collection))} on _id = one.value
      where ${test}`,
  );
}

/** Reads a text that SQLite made of ids by `group_concat`. */
export function readNumbers(text: string, count: number): Float64Array {
  const numbers = new Float64Array(count);
  let at = 0;
  let number = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === COMMA) {
      numbers[at++] = number;
      number = 0;
    } else number = number * 10 + (code - ZERO);
  }
  numbers[at] = number;
  return numbers;
}
const COMMA = 44;
const ZERO = 48;

/** Ids as rows of a column `value`, for a statement on SQLite. */
export function idRows(ids: Float64Array): RawBuilder<unknown> {
  return sql`json_each(${`[${ids.join()}]`})`;
}
