import type { QueueRevision } from '#shared/contract/workspace-answers.ts';

/** The known data about a position. */
export type KnownRevision = Pick<QueueRevision, 'revisionId' | 'state'>;

/**
 * The next position: every revision is visited exactly once and in order, except for those that no longer exist.
 * Positions are from 0; `total` is after the last revision.
 * @param at the data about a position; undefined: not loaded yet, so the position is visited
 * @param by 1 forward, -1 back
 * @returns `missing`: revisions that were skipped because they were not found
 */
export function stepFrom(
  from: number,
  by: 1 | -1,
  total: number,
  at: (position: number) => KnownRevision | undefined,
): { readonly to: number; readonly missing: readonly string[] } {
  const missing: string[] = [];
  let to = from + by;
  while (to >= 0 && to < total) {
    const known = at(to);
    if (known?.state !== 'gone') return { to, missing };
    missing.push(known.revisionId);
    to += by;
  }
  // Back from the first stays there; forward from the last leads to the end.
  return by === 1 ? { to: total, missing } : { to: from, missing: [] };
}
