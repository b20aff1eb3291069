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

/** How many of the done and of the pending records of a bulk edit are new. */
type NewRecords = Pick<AnsweredBulkEdit['counts'], 'done' | 'pending'>;

/** Whether a bulk edit creates records. */
export function createsRecords({ counts }: AnsweredBulkEdit): boolean {
  return (counts.created ?? 0) > 0;
}

/** Whether a bulk edit creates some records and changes others, which its counts do not distinguish. */
export function createsAndChanges(bulkEdit: AnsweredBulkEdit): boolean {
  return createsRecords(bulkEdit) && bulkEdit.counts.changed > 0;
}

/**
 * The number of records per outcome, without empty outcomes.
 * @param counted the new records of one that creates some and changes others
 */
export function outcomesOf(bulkEdit: AnsweredBulkEdit, counted: NewRecords): OutcomeCount[] {
  const { counts } = bulkEdit;
  const all = createsRecords(bulkEdit) ? counts : { done: 0, pending: 0 };
  const created = createsAndChanges(bulkEdit) ? counted : all;
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
