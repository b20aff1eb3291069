import { shownCount, shownNumber } from '#web/api/reader.ts';

/** `1 revision`, `1,200 revisions`. */
export function countedRevisions(count: number): string {
  return `${shownCount(count)} ${count === 1 ? 'revision' : 'revisions'}`;
}

/** A size for people: `812 bytes`, `14 KB`, `3.2 MB`. */
export function countedBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${shownCount(Math.round(bytes / 1000))} KB`;
  return `${shownNumber(bytes / 1_000_000, 1)} MB`;
}
