import type { Column } from '#shared/rules/definitions.ts';
import { type Store, createStore } from '#web/api/create-store.ts';
import { whenStore } from '#web/api/when-store.ts';
import {
  MAX_STEPS,
  stepRedone,
  stepUndone,
  type UndoDirection,
  withStep,
} from '#web/undo/undo-steps.ts';
import type { DatasetCalls } from '../edit-store/datasets.calls.ts';
import {
  type CellWrite,
  cellsOf,
  type Edits,
  isNewRow,
  type ServerRecord,
} from '../edit-store/edits.ts';
import {
  NO_STEPS,
  type TableStep,
  type StepCreation,
  type Steps,
  withCreated,
  withRenamed,
  withRestored,
  withRowsDropped,
} from '../edit-store/steps.ts';
import { undoModule } from './lazy-undo-module.ts';
import type { StepOutcome } from './revert-step.ts';

interface EditStepsOptions {
  readonly calls: DatasetCalls;
  readonly edits: Store<Edits>;
  readonly receive: (stored: ServerRecord) => void;
  readonly write: (cells: readonly CellWrite[]) => void;
  readonly forget: (jrids: readonly string[]) => void;
}

/** Reverts a bulk edit. @throws {CallError} if it cannot be reverted */
export type RevertBulkEdit = (bulkEditId: string) => Promise<void>;

/** The undo steps of one table: done and undone ones, and reverting the newest. */
export function createEditSteps({ calls, edits, receive, write, forget }: EditStepsOptions) {
  const steps = createStore<Steps>(NO_STEPS);
  // One after the other: a step depends on the result of the previous one.
  let last: Promise<unknown> = Promise.resolve();
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

  const runInOrder = <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act, act);
    last = done.catch(() => undefined);
    return done;
  };

  const revertNewest = (
    direction: UndoDirection,
    columns: readonly Column[],
    revertBulkEdit: RevertBulkEdit,
  ): Promise<StepOutcome | null> => {
    const actionsBefore = actionCount;
    const work = async (): Promise<StepOutcome | null> => {
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
        await revertBulkEdit(step.bulkEditId);
        return nothingReverted(step);
      }
      const { revertStep } = await undoModule.load();
      const outcome = await revertStep(step, direction, {
        calls,
        columns,
        edits: edits.get,
        receive,
        write,
        forget,
      });
      const moved = direction === 'undo' ? stepUndone : stepRedone;
      steps.set(withRenamed(moved(steps.get(), step, outcome.step), outcome.renamed));
      return outcome;
    };
    return runInOrder(work);
  };

  return {
    steps,
    push(step: TableStep): TableStep {
      actionCount++;
      steps.set(withStep(steps.get(), step));
      return step;
    },
    /** Changes steps while none is being reverted. */
    amend: (change: (steps: Steps) => Steps) =>
      runInOrder(async () => steps.set(change(steps.get()))),
    /** Called when rows are sent. @returns called once they are created, with the creations by row key */
    onSending() {
      const before = new Set(steps.get().done);
      return (creations: ReadonlyMap<string, StepCreation>) =>
        steps.set(withCreated(steps.get(), creations, before));
    },
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
    /** Reverts the newest step; null: there is none. @throws {CallError} if the service cannot be reached */
    undo: (columns: readonly Column[], revertBulkEdit: RevertBulkEdit) =>
      revertNewest('undo', columns, revertBulkEdit),
    /** Redoes the last undone step; otherwise like `undo`. */
    redo: (columns: readonly Column[], revertBulkEdit: RevertBulkEdit) =>
      revertNewest('redo', columns, revertBulkEdit),
  };
}

export type EditSteps = ReturnType<typeof createEditSteps>;

/** The outcome of a step that the service reverts in the background. */
function nothingReverted(of: TableStep): StepOutcome {
  return { of, done: 0, skipped: [], message: null, reverted: [], step: null, renamed: new Map() };
}
