/** Pseudo-random choices that are the same every time for the same seed. */
export interface Chance {
  /** a whole number from `least` to `most`, both included */
  whole(least: number, most: number): number;
  /** true in `share` (0 to 1) of all cases */
  odds(share: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** as many random decimal digits, the first one not 0 */
  digits(count: number): string;
  shuffled<T>(from: readonly T[]): T[];
}

/** @param seed any text; equal texts give equal choices (FNV-1a, then Marsaglia's xorshift32) */
export function chanceFrom(seed: string): Chance {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(seed)) state = Math.imul(state ^ byte, 0x01000193) >>> 0;
  state ||= 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  // The first numbers of near seeds are alike.
  for (let round = 0; round < 8; round++) next();
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    whole,
    odds: (share) => next() < share,
    pick: (from) => from[whole(0, from.length - 1)] ?? from[0],
    digits: (count) =>
      Array.from({ length: count }, (_, at) => whole(at === 0 ? 1 : 0, 9)).join(''),
    shuffled(from) {
      const keyed = from.map((item) => ({ item, key: next() }));
      return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
    },
  };
}
