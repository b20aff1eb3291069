import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';

/** How many records the plan would change or create. */
export function plannedOf({ counts }: AnsweredBulkEdit): number {
  return counts.changed + (counts.created ?? 0);
}

/** How many percent of the records that a batch writes, or restores, are processed. */
export function percentDone(bulkEdit: AnsweredBulkEdit): number {
  const { state, counts } = bulkEdit;
  const processed =
    state === 'undoing' ? counts.takenBack + counts.left : counts.done + counts.conflicts;
  return (100 * processed) / Math.max(plannedOf(bulkEdit), 1);
}
