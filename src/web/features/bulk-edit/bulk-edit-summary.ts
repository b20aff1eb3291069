import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { FieldChange } from './change.ts';
import { changeOf, type ChangeDraft } from './change-drafts.ts';
import { type Method, plan, type PlannedRevision, type PlanOptions } from './plan.ts';
import { type OutcomeCounts, countOutcomes } from './preview-rows.ts';
import type { SelectionRead } from './read-revisions.ts';

/** Everything that determines the effect of a correction. */
export interface BulkEditInput {
  readonly archive: ArchiveDetail;
  /** null while the old values are loading */
  readonly found: Extract<SelectionRead, { kind: 'revisions' }> | null;
  readonly drafts: readonly ChangeDraft[];
  readonly method: Method;
  /** whether revisions without changes are sent too */
  readonly includesUnchanged: boolean;
  readonly excluded: ReadonlySet<string>;
  readonly rejected: NonNullable<PlanOptions['rejected']>;
  readonly user: PlanOptions['user'];
  readonly nameOf: PlanOptions['nameOf'];
}

/** The effect of a correction, and whether it can be sent. */
interface BulkEditSummary {
  readonly changes: readonly FieldChange[];
  readonly planned: readonly PlannedRevision[];
  readonly counts: OutcomeCounts;
  /** the revisions to send, in the order of the selection */
  readonly toSend: readonly PlannedRevision[];
  readonly isReady: boolean;
}

/** The plan for a choice, before revisions are excluded from it. */
export function planFor({
  archive,
  found,
  drafts,
  method,
  user,
  nameOf,
  rejected,
}: Omit<BulkEditInput, 'includesUnchanged' | 'excluded'>) {
  const changes = drafts.flatMap((draft) => changeOf(draft) ?? []);
  return {
    changes,
    planned: plan(archive, found?.revisions ?? [], changes, { method, user, nameOf, rejected }),
  };
}

/** The summary of a plan. */
export function summarizeBulkEdit(
  { changes, planned }: Pick<BulkEditSummary, 'changes' | 'planned'>,
  {
    found,
    drafts,
    includesUnchanged,
    excluded,
  }: Pick<BulkEditInput, 'found' | 'drafts' | 'includesUnchanged' | 'excluded'>,
): BulkEditSummary {
  const counts = countOutcomes(planned, found?.gone ?? [], excluded);
  const toSend = planned.filter(
    ({ revision, outcome }) =>
      !excluded.has(revision.revisionId) &&
      (outcome === 'changes' || (includesUnchanged && outcome === 'same')),
  );
  const isReady =
    changes.length > 0 &&
    changes.length === drafts.length &&
    counts.fails === 0 &&
    toSend.length > 0;
  return { changes, planned, counts, toSend, isReady };
}
