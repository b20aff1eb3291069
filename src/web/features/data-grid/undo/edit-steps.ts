import type { Column } from '#shared/rules/definitions.ts';
import { type Store, createStore } from '#web/api/create-store.ts';
import type { DatasetCalls } from '../edit-store/datasets.calls.ts';
import type { CellWrite } from '../edit-store/edits.ts';
import { cellsOf, type Edits, isNewRow, type Stored } from '../edit-store/edits.ts';
import {
  NO_STEPS,
  type Step,
  type StepCell,
  type StepCreation,
  type Steps,
  stepRedone,
  stepUndone,
  withAdopted,
  withCreated,
  withoutTaken,
  withRenamed,
  withRestored,
  withRowsDropped,
  withStep,
} from './steps.ts';
import { type StepOutcome, revertStep } from './revert-step.ts';

interface EditStepsOptions {
  readonly calls: DatasetCalls;
  readonly edits: Store<Edits>;
  readonly learn: (stored: Stored) => void;
  readonly write: (cells: readonly CellWrite[]) => void;
  readonly forget: (jrids: readonly string[]) => void;
}

type TurnJob = (id: string, way: 'undo' | 'redo') => Promise<void>;

/** The steps of one table's desk: what was done, what was undone, and turning the newest around. */
export function createEditSteps({ calls, edits, learn, write, forget }: EditStepsOptions) {
  const steps = createStore<Steps>(NO_STEPS);
  // One after the other: the next step stands on what the one before leaves.
  let last: Promise<unknown> = Promise.resolve();
  /** acts of the clerk so far: what was asked for before one does not reach it */
  let acts = 0;

  /** Resolves when nothing of these records is on its way any more. */
  const settled = (jrids: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        const now = edits.get();
        const waits = jrids.some((jrid) =>
          isNewRow(jrid)
            ? now.newRows.some(({ key, is, stored }) => key === jrid && is === 'sending' && !stored)
            : [...cellsOf(now, jrid).values()].some(({ status }) => status.is === 'waiting'),
        );
        if (waits) return;
        leave();
        resolve();
      };
      const leave = edits.subscribe(look);
      look();
    });

  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act, act);
    last = done.catch(() => undefined);
    return done;
  };

  const turn = (
    way: 'undo' | 'redo',
    columns: readonly Column[],
    turnJob: TurnJob,
  ): Promise<StepOutcome | null> => {
    const asked = acts;
    const work = async (): Promise<StepOutcome | null> => {
      if (asked !== acts) return null;
      const standing = () => (way === 'undo' ? steps.get().done : steps.get().undone);
      let step = standing().at(-1);
      for (;;) {
        if (!step) return null;
        // oxlint-disable-next-line no-await-in-loop -- what it stands on may change meanwhile
        await settled(step.cells.map(({ jrid }) => jrid));
        if (standing().includes(step)) break;
        // A row that was created meanwhile has made one step of all that made it up.
        step = asked === acts ? standing().at(-1) : undefined;
      }
      const outcome = await revertStep(step, way, {
        calls,
        columns,
        edits: edits.get,
        learn,
        write,
        forget,
      });
      const moved = way === 'undo' ? stepUndone : stepRedone;
      steps.set(withRenamed(moved(steps.get(), step, outcome.step), outcome.renamed));
      if (step.job !== null) {
        // It is held against what the server has: what was undone before it is to be there.
        await settled([...edits.get().records.keys()]);
        await turnJob(step.job, way);
      }
      return outcome;
    };
    return inTurn(work);
  };

  /** Turns cells around that are no step's own; what was edited since stays. */
  const turnCells = async (
    cells: readonly StepCell[],
    way: 'undo' | 'redo',
    columns: readonly Column[],
  ): Promise<void> => {
    await settled(cells.map(({ jrid }) => jrid));
    const step: Step = { label: '', cells, created: [], job: null };
    await revertStep(step, way, { calls, columns, edits: edits.get, learn, write, forget });
  };

  return {
    steps,
    turnCells,
    remember(step: Step): void {
      // What is carried out at length was there to be undone from its beginning.
      if (step.job === null) acts++;
      steps.set(withStep(steps.get(), step));
    },
    /** A row was sent; the answer is told what it was made up of. */
    sending(key: string) {
      const before = new Set(steps.get().done);
      return (creation: StepCreation) => steps.set(withCreated(steps.get(), key, creation, before));
    },
    /** Rows that were never created are dropped. */
    rowsDropped: (keys: readonly string[]) =>
      steps.set(withRowsDropped(steps.get(), new Set(keys))),
    adopt(left: Steps, renamed: ReadonlyMap<string, string>, overruled: readonly StepCell[]): void {
      steps.set(withAdopted(steps.get(), left, renamed, overruled));
    },
    handedOver: (taken: Steps) => steps.set(withoutTaken(steps.get(), taken)),
    moveJob(job: string, way: 'undo' | 'redo'): void {
      const now = steps.get();
      const step = (way === 'undo' ? now.done : now.undone).find((step) => step.job === job);
      if (step) steps.set((way === 'undo' ? stepUndone : stepRedone)(now, step, step));
    },
    /** Deleted records came back by other means. */
    restored: (jrids: readonly string[]) => steps.set(withRestored(steps.get(), jrids)),
    rename: (renamed: ReadonlyMap<string, string>) => steps.set(withRenamed(steps.get(), renamed)),
    /** Does what steps are held against until it is done, such as a large paste. */
    inTurn,
    /**
     * Takes the newest step back; null: there is none.
     * @param turnJob turns around what has means of its own
     * @throws {CallError} where the service cannot be asked
     */
    undo: (columns: readonly Column[], turnJob: TurnJob) => turn('undo', columns, turnJob),
    /** Does again what was undone last; likewise. */
    redo: (columns: readonly Column[], turnJob: TurnJob) => turn('redo', columns, turnJob),
  };
}
