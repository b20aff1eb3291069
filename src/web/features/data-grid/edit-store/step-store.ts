import { type Store, createStore } from '#web/api/create-store.ts';
import { whenStore } from '#web/api/when-store.ts';
import { createWorkQueue } from '#web/api/work-queue.ts';
import {
  MAX_STEPS,
  stepRedone,
  stepUndone,
  type UndoDirection,
  withStep,
} from '#web/undo/undo-steps.ts';
import { cellsOf, type Edits, isNewRow } from './edits.ts';
import {
  NO_STEPS,
  type TableStep,
  type StepCreation,
  type Steps,
  withCreated,
  withRenamed,
  withRestored,
  withRowsDropped,
} from './steps.ts';

/** The result of reverting a step. */
export interface Reverted {
  /** the part of the step that can be reverted again; null: none */
  readonly step: TableStep | null;
  /** records that were created again, by their former `jrid`, which other steps use */
  readonly renamed: ReadonlyMap<string, string>;
}

/** The undo steps of one table: done and undone ones, and reverting the newest. */
export function createStepStore(edits: Store<Edits>) {
  const steps = createStore<Steps>(NO_STEPS);
  // A step depends on the result of the previous one.
  const runInOrder = createWorkQueue();
  /** the number of user actions so far: an undo requested before an action does not affect it */
  let actionCount = 0;

  /** Resolves when no writes of these records are in progress. */
  const settled = (jrids: readonly string[]): Promise<void> =>
    whenStore(edits, (now) =>
      jrids.every((jrid) =>
        isNewRow(jrid)
          ? !now.newRows.some(({ key, is, stored }) => key === jrid && is === 'sending' && !stored)
          : [...cellsOf(now, jrid).values()].every(({ status }) => status.is !== 'waiting'),
      ),
    );

  /**
   * Undoes the newest step, or redoes the one that was undone last, after the writes in progress.
   * @returns the result of `revert`; null: there is no step, or the user has done something else since
   */
  const revertNewest = <Outcome extends Reverted>(
    direction: UndoDirection,
    revert: (step: TableStep) => Promise<Outcome>,
  ): Promise<Outcome | null> => {
    const actionsBefore = actionCount;
    return runInOrder(async () => {
      if (actionsBefore !== actionCount) return null;
      const candidates = () => (direction === 'undo' ? steps.get().done : steps.get().undone);
      let step = candidates().at(-1);
      for (;;) {
        if (!step) return null;
        // What it depends on may change.
        await settled(step.cells.map(({ jrid }) => jrid));
        if (candidates().includes(step)) break;
        // A row that was created meanwhile has one step for its cells.
        step = actionsBefore === actionCount ? candidates().at(-1) : undefined;
      }
      if (step.bulkEditId !== null) {
        // The service reverts only what it has: earlier undos must be saved.
        await settled([...edits.get().records.keys()]);
        // A step that cannot be reverted now cannot be reverted later either; an unreachable service is waited for.
        steps.set(stepUndone(steps.get(), step, null));
        return revert(step);
      }
      const outcome = await revert(step);
      const moved = direction === 'undo' ? stepUndone : stepRedone;
      steps.set(withRenamed(moved(steps.get(), step, outcome.step), outcome.renamed));
      return outcome;
    });
  };

  /** Called when rows are sent. @returns called once they are created, with the creations by row key */
  const onSending = () => {
    const before = new Set(steps.get().done);
    return (creations: ReadonlyMap<string, StepCreation>) =>
      steps.set(withCreated(steps.get(), creations, before));
  };

  return {
    steps,
    revertNewest,
    onSending,
    push: (step: TableStep): TableStep => {
      actionCount++;
      steps.set(withStep(steps.get(), step));
      return step;
    },
    /** Changes steps while none is being reverted. */
    amend: (change: (steps: Steps) => Steps) =>
      runInOrder(async () => steps.set(change(steps.get()))),
    /** Rows that were never created are dropped. */
    dropRows: (keys: readonly string[]) => steps.set(withRowsDropped(steps.get(), new Set(keys))),
    /** Restores the steps from before a reload of the page. */
    restore({ done, undone }: Steps): void {
      const now = steps.get();
      steps.set({
        done: [...done, ...now.done].slice(-MAX_STEPS),
        undone: [...undone, ...now.undone],
      });
    },
    /** Deleted records were restored by other means. */
    restored: (jrids: readonly string[]) => steps.set(withRestored(steps.get(), jrids)),
  };
}
