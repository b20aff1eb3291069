import { formatCount } from '#shared/messages/format.ts';

/** `1 revision`, `1,200 revisions`. */
export function countedRevisions(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'revision' : 'revisions'}`;
}
