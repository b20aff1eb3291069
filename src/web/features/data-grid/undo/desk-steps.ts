import type { Column } from '#shared/definitions.ts';
import { type Watched, watched } from '#web/api/watched.ts';
import type { DatasetCalls } from '../datasets.calls.ts';
import type { CellWrite } from '../desk.ts';
import { cellsOf, type Edits, type Stored } from '../edits.ts';
import {
  NO_STEPS,
  type Step,
  type Steps,
  stepRedone,
  stepUndone,
  withRenamed,
  withRestored,
  withStep,
} from './steps.ts';
import { type StepOutcome, turnAround } from './undo.ts';

interface DeskStepsOptions {
  readonly calls: DatasetCalls;
  readonly edits: Watched<Edits>;
  readonly learn: (stored: Stored) => void;
  readonly write: (cells: readonly CellWrite[]) => void;
  readonly forget: (jrids: readonly string[]) => void;
}

/** The steps of one table's desk: what was done, what was taken back, and turning the newest around. */
export function createDeskSteps({ calls, edits, learn, write, forget }: DeskStepsOptions) {
  const steps = watched<Steps>(NO_STEPS);
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
          [...cellsOf(now, jrid).values()].some(({ status }) => status.is === 'waiting'),
        );
        if (waits) return;
        leave();
        resolve();
      };
      const leave = edits.subscribe(look);
      look();
    });

  const turn = (way: 'undo' | 'redo', columns: readonly Column[]): Promise<StepOutcome | null> => {
    const asked = acts;
    const work = async (): Promise<StepOutcome | null> => {
      if (asked !== acts) return null;
      const now = steps.get();
      const step = way === 'undo' ? now.done.at(-1) : now.undone.at(-1);
      if (!step) return null;
      await settled(step.cells.map(({ jrid }) => jrid));
      const outcome = await turnAround(step, way, {
        calls,
        columns,
        edits: edits.get,
        learn,
        write,
        forget,
      });
      const moved = way === 'undo' ? stepUndone : stepRedone;
      steps.set(withRenamed(moved(steps.get(), step, outcome.step), outcome.renamed));
      return outcome;
    };
    const turned = last.then(work, work);
    last = turned.catch(() => undefined);
    return turned;
  };

  return {
    steps,
    remember(step: Step): void {
      // That a record was created is told by the service, whenever it answers.
      if (step.created.length === 0) acts++;
      steps.set(withStep(steps.get(), step));
    },
    moveJob(job: string, way: 'undo' | 'redo'): void {
      const now = steps.get();
      const step = (way === 'undo' ? now.done : now.undone).find((step) => step.job === job);
      if (step) steps.set((way === 'undo' ? stepUndone : stepRedone)(now, step, step));
    },
    /** Deleted records came back by other means. */
    restored: (jrids: readonly string[]) => steps.set(withRestored(steps.get(), jrids)),
    rename: (renamed: ReadonlyMap<string, string>) => steps.set(withRenamed(steps.get(), renamed)),
    /** Takes the newest step back; null: there is none. @throws {CallError} where the service cannot be asked */
    undo: (columns: readonly Column[]) => turn('undo', columns),
    /** Does again what was taken back last; likewise. */
    redo: (columns: readonly Column[]) => turn('redo', columns),
  };
}
