import type { QueueRevision } from '#shared/contract/workspace-answers.ts';

/** The position in a queue, from 0; `total` is after the last revision. */
type QueuePosition = number;

/** The known data about a position. */
export type KnownRevision = Pick<QueueRevision, 'revisionId' | 'state'>;

interface QueueStep {
  readonly to: QueuePosition;
  /** revisions that were skipped because they were not found */
  readonly missing: readonly string[];
}

/**
 * The next position: every revision is visited exactly once and in order, except for those that no longer exist.
 * @param at the data about a position; undefined: not loaded yet, so the position is visited
 * @param by 1 forward, -1 back
 */
export function stepFrom(
  from: QueuePosition,
  by: 1 | -1,
  total: number,
  at: (position: QueuePosition) => KnownRevision | undefined,
): QueueStep {
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
