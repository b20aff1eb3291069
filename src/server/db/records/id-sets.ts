import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database.ts';

/** Ids that an index has found, for asking whether a record is among them. */
export class IdSet {
  /** in the order in which they were found */
  readonly ids: Float64Array;
  readonly #held: { has(id: number): boolean };
  #ascending: Float64Array | undefined;

  /** @param found may name an id twice */
  constructor(found: Float64Array) {
    if (isDense(found)) {
      const bits = new Bits(highest(found));
      this.ids = found.filter((id) => bits.add(id));
      this.#held = bits;
    } else {
      const set = new Set(found);
      this.ids = Float64Array.from(set);
      this.#held = set;
    }
  }

  get size(): number {
    return this.ids.length;
  }
  get ascending(): Float64Array {
    this.#ascending ??= this.ids.toSorted();
    return this.#ascending;
  }
  has(id: number): boolean {
    return this.#held.has(id);
  }
}

/** One bit for each id up to the highest. */
class Bits {
  readonly #words: Uint32Array;

  constructor(most: number) {
    this.#words = new Uint32Array(Math.floor(most / 32) + 1);
  }
  /** Whether the id is a new one. */
  add(id: number): boolean {
    const [at, bit] = [id >>> 5, 1 << (id & 31)];
    const word = this.#words[at] ?? 0;
    this.#words[at] = word | bit;
    return (word & bit) === 0;
  }
  has(id: number): boolean {
    // Ids that are asked for may be beyond 32 bits.
    return ((this.#words[Math.floor(id / 32)] ?? 0) & (1 << (id & 31))) !== 0;
  }
}

/** A `Set` takes some 40 bytes for each id; bits may take as much. */
const BITS_EACH = 320;
const MAX_BITS = 2 ** 31;

function isDense(ids: Float64Array): boolean {
  return highest(ids) < Math.min(MAX_BITS, ids.length * BITS_EACH);
}

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
  const list = new Float64Array(count);
  if (ids === null) return list;
  let [at, id] = [0, 0];
  for (let i = 0; i < ids.length; i++) {
    const code = ids.charCodeAt(i);
    if (code === COMMA) {
      list[at++] = id;
      id = 0;
    } else id = id * 10 + (code - ZERO);
  }
  list[at] = id;
  return list;
}
const COMMA = 44;
const ZERO = 48;

/** Ids as rows of a column `value`, for a statement on SQLite. */
export function idRows(ids: Float64Array): RawBuilder<unknown> {
  return sql`json_each(${`[${ids.join()}]`})`;
}
