import type { QueueRevision } from '#shared/contract/workspace-answers.ts';

/** Where one is in a queue: the place of the revision that is shown, from 0; `total` is behind the last. */
export type Place = number;

/** What is known of a place. */
export type Known = Pick<QueueRevision, 'revisionId' | 'state'>;

export interface Step {
  readonly to: Place;
  /** revisions that were passed over because they were not found */
  readonly passed: readonly string[];
}

/**
 * The next place to work at: every revision has its turn exactly once and in order, but for those that are not
 * there any more.
 * @param at what is known of a place; undefined: not read yet, so one goes there and sees
 * @param by 1 on, -1 back
 */
export function stepFrom(
  from: Place,
  by: 1 | -1,
  total: number,
  at: (place: Place) => Known | undefined,
): Step {
  const passed: string[] = [];
  let to = from + by;
  while (to >= 0 && to < total) {
    const known = at(to);
    if (known?.state !== 'gone') return { to, passed };
    passed.push(known.revisionId);
    to += by;
  }
  // Back from the first there is nothing; on from the last comes the end.
  return by === 1 ? { to: total, passed } : { to: from, passed: [] };
}
