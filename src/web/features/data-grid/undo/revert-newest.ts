import type { UndoDirection } from '#web/undo/undo-steps.ts';
import { undoModule } from './lazy-undo-module.ts';
import type { RevertContext } from './revert-context.ts';
import type { StepOutcome } from './revert-step.ts';

/** Reverts a bulk edit. @throws {CallError} if it cannot be reverted */
export type RevertBulkEdit = (bulkEditId: string) => Promise<void>;

/**
 * Undoes the newest step of a table, or redoes the one that was undone last.
 * @returns null: there is no step, or the user has done something else since
 * @throws {CallError} if the service cannot be reached
 */
export function revertNewest(
  direction: UndoDirection,
  context: RevertContext,
  revertBulkEdit: RevertBulkEdit,
): Promise<StepOutcome | null> {
  return context.editStore.revertNewest(direction, async (step) => {
    if (step.bulkEditId === null) {
      const { revertStep } = await undoModule.load();
      return revertStep(step, direction, context);
    }
    // The service does it in the background.
    await revertBulkEdit(step.bulkEditId);
    const nothing = { done: 0, skipped: [], message: null, reverted: [], step: null };
    return { of: step, ...nothing, renamed: new Map<string, string>() };
  });
}
