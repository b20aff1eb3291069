import { createStore } from '#web/api/create-store.ts';
import type { StoredEdits } from './edit-database.ts';
import type { ResumedStore } from './resume-edits.ts';

/** The edits and steps of a store as the browser stores them, and adding those of closed tabs. */
export function createStoreSnapshot(store: ResumedStore) {
  const resumed = createStore(0);
  return {
    /** The edits to store in the browser; null: none. */
    snapshot(): StoredEdits | null {
      const edits = store.edits.get();
      const steps = store.undoSteps.steps.get();
      const isEmpty =
        edits.records.size === 0 && edits.newRows.every(({ stored }) => stored !== null);
      if (isEmpty && steps.done.length + steps.undone.length === 0) return null;
      return { edits, steps };
    },
    /**
     * Adds the stored edits of a closed tab, and sends them. Few tables have any: the code for it is loaded then.
     * @param withSteps whether it was this tab before a reload: its undo steps are restored too. The edits of another
     * tab become one step of this one.
     */
    async resume(left: StoredEdits, { withSteps }: { readonly withSteps: boolean }): Promise<void> {
      const { resumeEdits } = await import('./resume-edits.ts');
      resumed.set(resumed.get() + resumeEdits(store, left, withSteps));
    },
    /** how many entries of closed tabs were added */
    resumed,
  };
}
