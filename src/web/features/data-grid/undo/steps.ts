import type { Scalar } from '#shared/values.ts';
import type { Entry } from '../edits.ts';

/** One cell of a step; both entries as they can be written again. */
export interface StepCell {
  readonly jrid: string;
  readonly column: string;
  readonly before: Entry;
  readonly after: Entry;
}

/** A record that a step has created. */
export interface StepCreation {
  readonly jrid: string;
  readonly values: Readonly<Record<string, Scalar>>;
}

/** One act of the clerk, as it is taken back and done again. */
export interface Step {
  /** what it was, in words that stand after “Undo”: `filling cells` */
  readonly label: string;
  readonly cells: readonly StepCell[];
  readonly created: readonly StepCreation[];
  /** the records that it has deleted, by jrid */
  readonly deleted?: readonly string[];
  /** something larger that is taken back by its own means: the id of a paste */
  readonly job: string | null;
}

/** The steps of a table, the newest last. */
export interface Steps {
  readonly done: readonly Step[];
  /** taken back, the last one first to be done again */
  readonly undone: readonly Step[];
}

export const NO_STEPS: Steps = { done: [], undone: [] };
const MOST_STEPS = 1_000;

/** After a new act nothing that was taken back before can be done again. */
export function withStep({ done }: Steps, step: Step): Steps {
  return { done: [...done, step].slice(-MOST_STEPS), undone: [] };
}

/** Moves a step to those taken back, as far as it was; null: nothing of it was. Newer ones may have come since. */
export function stepUndone({ done, undone }: Steps, step: Step, left: Step | null): Steps {
  return { done: done.filter((one) => one !== step), undone: left ? [...undone, left] : undone };
}

export function stepRedone({ done, undone }: Steps, step: Step, left: Step | null): Steps {
  return { done: left ? [...done, left] : done, undone: undone.filter((one) => one !== step) };
}

/** Names records that were created again by the `jrid` they have now. */
export function withRenamed(steps: Steps, renamed: ReadonlyMap<string, string>): Steps {
  if (renamed.size === 0) return steps;
  const now = <T extends { readonly jrid: string }>(one: T): T => {
    const jrid = renamed.get(one.jrid);
    return jrid === undefined ? one : { ...one, jrid };
  };
  const inAll = (all: readonly Step[]) =>
    all.map((step) => ({
      ...step,
      cells: step.cells.map(now),
      created: step.created.map(now),
      ...(step.deleted ? { deleted: step.deleted.map((jrid) => renamed.get(jrid) ?? jrid) } : {}),
    }));
  return { done: inAll(steps.done), undone: inAll(steps.undone) };
}

/** After deletions were taken back by other means than their step: where all of one came back it can be done again. */
export function withRestored(steps: Steps, jrids: readonly string[]): Steps {
  const back = new Set(jrids);
  const undone: Step[] = [];
  const done = steps.done.flatMap((step) => {
    const left = step.deleted?.filter((jrid) => !back.has(jrid));
    if (!left || left.length === step.deleted?.length) return step;
    if (left.length > 0) return { ...step, deleted: left };
    undone.push(step);
    return [];
  });
  return { done, undone: [...steps.undone, ...undone.toReversed()] };
}

/** What steps lead to that is taken back by means of its own. */
export function jobsOf({ done, undone }: Steps): readonly string[] {
  return [...done, ...undone].flatMap(({ job }) => job ?? []);
}
