import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { FieldChange } from './change.ts';
import { changeOf, type ChangeDraft } from './change-drafts.ts';
import { type Method, plan, type PlannedRevision, type PlanOptions } from './plan.ts';
import { countOutcomes } from './preview-rows.ts';
import type { LoadedSelection } from './read-revisions.ts';

/** Everything that determines the effect of a correction on each revision. */
export interface BulkEditInput {
  readonly archive: ArchiveDetail;
  /** null while the old values are loading */
  readonly found: Extract<LoadedSelection, { kind: 'revisions' }> | null;
  readonly drafts: readonly ChangeDraft[];
  readonly method: Method;
  readonly rejected: NonNullable<PlanOptions['rejected']>;
  readonly user: PlanOptions['user'];
  readonly nameOf: PlanOptions['nameOf'];
}

/** The effect of a correction, before revisions are excluded from it. */
interface BulkEditPlan extends Pick<BulkEditInput, 'found' | 'drafts'> {
  readonly changes: readonly FieldChange[];
  readonly planned: readonly PlannedRevision[];
}

export function planFor(input: BulkEditInput): BulkEditPlan {
  const { archive, found, drafts } = input;
  const changes = drafts.flatMap((draft) => changeOf(draft) ?? []);
  return { found, drafts, changes, planned: plan(archive, found?.revisions ?? [], changes, input) };
}

/**
 * What of a plan is sent, and whether it can be sent.
 * @param includesUnchanged whether revisions without changes are sent too
 */
export function summarizeBulkEdit(
  { found, drafts, changes, planned }: BulkEditPlan,
  includesUnchanged: boolean,
  excluded: ReadonlySet<string>,
) {
  const counts = countOutcomes(planned, found?.notFound ?? [], excluded);
  /** the revisions to send, in the order of the selection */
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
