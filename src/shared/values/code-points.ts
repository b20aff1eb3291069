/** Compares by Unicode code points, as both databases do; JavaScript's `<` compares UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      // Surrogates (above U+FFFF) sort after the rest of the basic plane.
      const high = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
      return high(x) - high(y);
    }
  }
  return a.length - b.length;
}

/** Counts Unicode code points; stops at `limit` + 1. */
export function countCodePoints(text: string, limit: number): number {
  if (text.length <= limit) {
    if (!HIGH_SURROGATE.test(text)) return text.length;
    let count = text.length;
    for (const pair of text.matchAll(SURROGATE_PAIRS)) count -= pair.length;
    return count;
  }
  let count = 0;
  for (const _ of text) if (++count > limit) break;
  return count;
}

const HIGH_SURROGATE = /[\ud800-\udbff]/;
const SURROGATE_PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;
