/** A 53-bit hash of a text (cyrb53). Browsers have `crypto.subtle` only over https. */
function hash(text: string, seed: number): number {
  let [a, b] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

/** The key of a file among all that a user loads into an archive: its name, size and modification time. */
export function fileKey({ name, size, lastModified }: File): string {
  return `${hash(name, 1).toString(36)}-${size.toString(36)}-${lastModified.toString(36)}`;
}

/** The idempotency key of the call that stores a file with its index data. */
export function uploadKey(key: string, indexData: unknown): string {
  return `upload-${key}-${hash(JSON.stringify(indexData), 2).toString(36)}`;
}

const storageKey = (username: string, archive: string) =>
  `indexdesk.uploads.${username}.${archive}`;

/** The keys of the files that this browser has stored in an archive. */
export function readStored(username: string, archive: string): Set<string> {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(storageKey(username, archive)) ?? '[]');
    return new Set(Array.isArray(read) ? read.map(String) : []);
  } catch {
    return new Set();
  }
}

/** How many are remembered, newest first; for older ones the service recognises the call that stored them for 14 days. */
const MAX_REMEMBERED = 50_000;

export function rememberStored(username: string, archive: string, keys: ReadonlySet<string>): void {
  try {
    const newest = [...keys].slice(-MAX_REMEMBERED);
    localStorage.setItem(storageKey(username, archive), JSON.stringify(newest));
  } catch {
    // Without storage the idempotency keys prevent storing documents twice.
  }
}
