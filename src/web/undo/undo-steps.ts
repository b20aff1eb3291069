/** The direction in which a step is reverted. */
export type UndoDirection = 'undo' | 'redo';

/** One action of a user that can be undone. The code that adds a step provides the function that reverts it. */
export interface UndoStep {
  /** its description after “Undo”: `filling cells` */
  readonly label: string;
}

/** The undo steps of one archive, table or page, the newest last. */
export interface UndoSteps<Step> {
  readonly done: readonly Step[];
  /** undone; the last one is redone first */
  readonly undone: readonly Step[];
}

/** Older steps are dropped. */
export const MAX_STEPS = 1_000;

/** After a new action no undone step can be redone. */
export function withStep<Step>({ done }: UndoSteps<Step>, step: Step): UndoSteps<Step> {
  return { done: [...done, step].slice(-MAX_STEPS), undone: [] };
}

/**
 * Moves a step to the undone ones.
 * @param reverted the part of it that was reverted and can be redone; null: nothing
 */
export function stepUndone<Step>(
  { done, undone }: UndoSteps<Step>,
  step: Step,
  reverted: Step | null,
): UndoSteps<Step> {
  return {
    done: done.filter((other) => other !== step),
    undone: reverted ? [...undone, reverted] : undone,
  };
}

/** Moves a step back to the done ones. @param redone the part of it that was redone; null: nothing */
export function stepRedone<Step>(
  { done, undone }: UndoSteps<Step>,
  step: Step,
  redone: Step | null,
): UndoSteps<Step> {
  return {
    done: redone ? [...done, redone] : done,
    undone: undone.filter((other) => other !== step),
  };
}
