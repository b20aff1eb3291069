import * as texts from '#messages/bulk-jobs.ts';
import type { AnsweredBulkEdit, Outcome } from '#shared/contract/bulk-edit-answers.ts';

/** The outcomes in the order in which they are shown. */
const OUTCOMES: readonly Outcome[] = [
  'new',
  'changed',
  'created',
  'done',
  'conflict',
  'invalid',
  'locked',
  'missing',
  'takenback',
  'left',
  'unchanged',
];

interface OutcomeCount {
  readonly outcome: Outcome;
  readonly label: string;
  readonly count: number;
  /** whether a user should check it */
  readonly isProblem: boolean;
}

const NOT_APPLIED: ReadonlySet<Outcome> = new Set([
  'conflict',
  'invalid',
  'locked',
  'missing',
  'left',
]);

/**
 * The number of records per outcome, without empty outcomes.
 * @param created how many of the done and of the pending records are new
 */
export function outcomesOf(
  { counts }: AnsweredBulkEdit,
  created: { readonly done: number; readonly pending: number },
): OutcomeCount[] {
  const byOutcome: Readonly<Record<Outcome, number>> = {
    new: created.pending,
    changed: counts.pending - created.pending,
    created: created.done,
    done: counts.done - created.done,
    conflict: counts.conflicts,
    invalid: counts.invalid,
    locked: counts.locked,
    missing: counts.missing,
    takenback: counts.takenBack,
    left: counts.left,
    unchanged: counts.unchanged,
  };
  return OUTCOMES.map((outcome) => ({
    outcome,
    label: texts.outcomes[outcome],
    count: byOutcome[outcome],
    isProblem: NOT_APPLIED.has(outcome),
  })).filter(({ count }) => count > 0);
}

/** The records that "again" would process. */
export function failedCount({ counts }: AnsweredBulkEdit): number {
  return counts.conflicts + counts.invalid + counts.locked;
}
