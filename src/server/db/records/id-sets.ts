import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database.ts';

/** Ids that an index has found, for asking whether a record is among them. */
export class IdSet {
  readonly #held: Bits | Set<number>;
  #ascending: Float64Array | undefined;

  /** @param found may name an id twice */
  constructor(found: Float64Array) {
    const most = highest(found);
    const dense = most < Math.min(MAX_BITS, found.length * BITS_EACH);
    this.#held = dense ? new Bits(found, most) : new Set(found);
  }

  get size(): number {
    return this.#held.size;
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
  /** Those of other ids that are among these, or that are not, in their order. */
  among(ids: Float64Array, wanted = true): Float64Array {
    // The arrays' own `filter` takes ten times as long.
    const kept = new Float64Array(ids.length);
    let count = 0;
    for (const id of ids) if (this.#held.has(id) === wanted) kept[count++] = id;
    return kept.subarray(0, count);
  }
}

/** One bit for each id up to the highest. */
class Bits {
  readonly #words: Uint32Array;
  readonly size: number;

  constructor(ids: Float64Array, most: number) {
    const words = new Uint32Array(Math.floor(most / 32) + 1);
    let size = 0;
    for (const id of ids) {
      const [at, bit] = [id >>> 5, 1 << (id & 31)];
      const word = words[at] ?? 0;
      if ((word & bit) !== 0) continue;
      words[at] = word | bit;
      size += 1;
    }
    this.#words = words;
    this.size = size;
  }
  has(id: number): boolean {
    // Ids that are asked for may be beyond 32 bits.
    return ((this.#words[Math.floor(id / 32)] ?? 0) & (1 << (id & 31))) !== 0;
  }
  ascending(): Float64Array {
    const ids = new Float64Array(this.size);
    let count = 0;
    for (const [at, word] of this.#words.entries()) {
      for (let bits = word; bits !== 0; bits &= bits - 1) {
        ids[count++] = at * 32 + 31 - Math.clz32(bits & -bits);
      }
    }
    return ids;
  }
}

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
export async function readIdList(db: Db, select: RawBuilder<unknown>): Promise<Float64Array> {
  const { rows } = await sql<{ count: number; ids: string | null }>`
    select count(*) as count, group_concat(_id) as ids from (${select})`.execute(db.k);
  const { count = 0, ids = null } = rows[0] ?? {};
  return ids === null ? new Float64Array(0) : readNumbers(ids, count);
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
