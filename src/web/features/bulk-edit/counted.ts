import { shownCount } from '#web/api/reader.ts';

/** `1 revision`, `1,200 revisions`. */
export function countedRevisions(count: number): string {
  return `${shownCount(count)} ${count === 1 ? 'revision' : 'revisions'}`;
}
