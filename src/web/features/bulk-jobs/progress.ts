import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';

/** The number of records that the plan would change or create. */
export function plannedOf({ counts }: AnsweredBulkEdit): number {
  return counts.changed + (counts.created ?? 0);
}

/** The percentage of records that a bulk edit has processed. */
export function percentDone(bulkEdit: AnsweredBulkEdit): number {
  const { state, counts } = bulkEdit;
  const processed =
    state === 'undoing' ? counts.takenBack + counts.left : counts.done + counts.conflicts;
  return (100 * processed) / Math.max(plannedOf(bulkEdit), 1);
}
