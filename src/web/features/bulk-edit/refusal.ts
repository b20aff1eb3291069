import type { ApiFailure } from '#web/api/failure.ts';
import type { Problem } from './plan.ts';

/** What the service had against the call: by revision, and what belongs to none. */
export interface Refusal {
  readonly byRevision: ReadonlyMap<string, readonly Problem[]>;
  /** messages of other places, by place */
  readonly general: Readonly<Record<string, readonly string[]>>;
}

const PLACE = /^revisions\.([0-9]+)(?:\.((?:indexFields|keywordFields)\..+))?$/;

/** Sorts the errors of a refused call by revision (`revisions.ID`, `revisions.ID.indexFields.NAME`). */
export function readRefusal(failure: ApiFailure): Refusal {
  const byRevision = new Map<string, Problem[]>();
  const general: Record<string, readonly string[]> = {};
  if (failure.kind !== 'api') return { byRevision, general };
  for (const [key, messages] of Object.entries(failure.errors)) {
    const [, revisionId, place = null] = PLACE.exec(key) ?? [];
    if (revisionId === undefined) general[key] = messages;
    else {
      const problems = byRevision.get(revisionId) ?? [];
      problems.push(...messages.map((message) => ({ place, message })));
      byRevision.set(revisionId, problems);
    }
  }
  return { byRevision, general };
}

/** What of a refusal still holds when other values are chosen: what concerns a revision as a whole. */
export function withoutFieldProblems(
  refused: ReadonlyMap<string, readonly Problem[]>,
): ReadonlyMap<string, readonly Problem[]> {
  return new Map(
    [...refused]
      .map(([id, problems]) => [id, problems.filter(({ place }) => place === null)] as const)
      .filter(([, problems]) => problems.length > 0),
  );
}
