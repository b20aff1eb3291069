import type { ApiFailure } from '#web/api/failure.ts';
import type { PlanProblem } from './plan.ts';

/** The service's errors for the call: by revision, and those that belong to none. */
interface Rejection {
  readonly byRevision: ReadonlyMap<string, readonly PlanProblem[]>;
  /** messages for other paths, by path */
  readonly general: Readonly<Record<string, readonly string[]>>;
}

const ERROR_PATH = /^revisions\.([0-9]+)(?:\.((?:indexFields|keywordFields)\..+))?$/;

/** Groups the errors of a rejected call by revision (`revisions.ID`, `revisions.ID.indexFields.NAME`). */
export function parseRejection(failure: ApiFailure): Rejection {
  const byRevision = new Map<string, PlanProblem[]>();
  const general: Record<string, readonly string[]> = {};
  if (failure.kind !== 'api') return { byRevision, general };
  for (const [key, messages] of Object.entries(failure.errors)) {
    const [, revisionId, path = null] = ERROR_PATH.exec(key) ?? [];
    if (revisionId === undefined) general[key] = messages;
    else {
      const problems = byRevision.get(revisionId) ?? [];
      problems.push(...messages.map((message) => ({ path, message })));
      byRevision.set(revisionId, problems);
    }
  }
  return { byRevision, general };
}

/** The errors that still apply when other values are chosen: those about a revision as a whole. */
export function withoutFieldProblems(
  refused: ReadonlyMap<string, readonly PlanProblem[]>,
): ReadonlyMap<string, readonly PlanProblem[]> {
  return new Map(
    [...refused]
      .map(([id, problems]) => [id, problems.filter(({ path }) => path === null)] as const)
      .filter(([, problems]) => problems.length > 0),
  );
}
