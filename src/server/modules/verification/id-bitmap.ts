/** A set of whole numbers from 0 that takes one bit for each, up to the greatest. */
export class IdBitmap {
  readonly #chunks = new Map<number, Uint8Array>();

  has(id: number): boolean {
    const bits = this.#chunks.get(Math.floor(id / BITS));
    return bits !== undefined && ((bits[(id % BITS) >> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }

  /** @returns false if it is already in the set */
  add(id: number): boolean {
    if (this.has(id)) return false;
    const chunk = Math.floor(id / BITS);
    const bits = this.#chunks.get(chunk) ?? new Uint8Array(BITS / 8);
    this.#chunks.set(chunk, bits);
    bits[(id % BITS) >> 3] = (bits[(id % BITS) >> 3] ?? 0) | (1 << (id & 7));
    return true;
  }
}

const BITS = 65_536;
