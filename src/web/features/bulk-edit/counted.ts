/** `1 revision`, `1,200 revisions`. */
export function countedRevisions(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'revision' : 'revisions'}`;
}

/** A size for people: `812 bytes`, `14 KB`, `3.2 MB`. */
export function countedBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000).toLocaleString('en')} KB`;
  return `${(bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
}
