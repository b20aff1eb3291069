import type { Scalar } from '#shared/values/values.ts';
import { MAX_STEPS, type UndoStep, type UndoSteps } from '#web/undo/undo-steps.ts';
import type { Entry } from '../edit-store/edits.ts';
import * as undoTexts from '#messages/table-undo.ts';

/** One cell of a step; both entries as they can be written again. */
export interface StepCell {
  /** of a row that is not created yet: its key */
  readonly jrid: string;
  readonly column: string;
  readonly before: Entry;
  readonly after: Entry;
}

/** A record that a step has created. */
export interface StepCreation {
  readonly jrid: string;
  readonly values: Readonly<Record<string, Scalar>>;
  /** the entry in the history about it; null: not known */
  readonly historyId: string | null;
}

/** One act of the user in a table. */
export interface Step extends UndoStep {
  readonly cells: readonly StepCell[];
  readonly created: readonly StepCreation[];
  /** the records that it has deleted, by jrid */
  readonly deleted?: readonly string[];
  /** the bulk edit of the service that did it, such as a large paste; the service reverts that */
  readonly bulkEditId: string | null;
}

/** The steps of a table. */
export type Steps = UndoSteps<Step>;

export const NO_STEPS: Steps = { done: [], undone: [] };

/** Names records that were created again by the `jrid` they have now. */
export function withRenamed(steps: Steps, renamed: ReadonlyMap<string, string>): Steps {
  if (renamed.size === 0) return steps;
  const inAll = (all: readonly Step[]) => all.map((step) => renamedIn(step, renamed));
  return { done: inAll(steps.done), undone: inAll(steps.undone) };
}

/** Steps that name none of the records stay the same ones. */
function renamedIn(step: Step, renamed: ReadonlyMap<string, string>): Step {
  const names = ({ jrid }: { readonly jrid: string }) => renamed.has(jrid);
  const isNamed = step.deleted?.some((jrid) => renamed.has(jrid)) === true;
  if (!isNamed && !step.cells.some(names) && !step.created.some(names)) return step;
  const now = <T extends { readonly jrid: string }>(one: T): T => {
    const jrid = renamed.get(one.jrid);
    return jrid === undefined ? one : { ...one, jrid };
  };
  return {
    ...step,
    cells: step.cells.map(now),
    created: step.created.map(now),
    ...(step.deleted ? { deleted: step.deleted.map((jrid) => renamed.get(jrid) ?? jrid) } : {}),
  };
}

/**
 * After rows were created. What was typed into a row becomes one step, its creation. A step that has written into several
 * rows, such as a paste, stays one step and has the creations in the place of their cells.
 * @param creations by the keys of the rows
 * @param before the steps there were when they were sent; what was typed into them since are changes of the records
 */
export function withCreated(
  steps: Steps,
  creations: ReadonlyMap<string, StepCreation>,
  before: ReadonlySet<Step>,
): Steps {
  const keys = new Set(creations.keys());
  const renamed = new Map([...creations].map(([key, { jrid }]) => [key, jrid]));
  const open = new Map(creations);
  const older: Step[] = [];
  // The newest step with several rows has the creation: what was typed before it is a part of it.
  for (const step of steps.done.filter((one) => before.has(one)).toReversed()) {
    const rows = new Set(step.cells.map(({ jrid }) => jrid));
    const created = [...step.created];
    if (rows.size + created.length > 1) {
      for (const key of rows) {
        const creation = open.get(key);
        if (creation) created.push(creation);
        open.delete(key);
      }
    }
    const left = withoutRows({ ...step, created }, keys);
    if (left !== null) older.push(left);
  }
  const single = [...open.values()].map((creation): Step => ({
    label: undoTexts.creating,
    cells: [],
    created: [creation],
    bulkEditId: null,
  }));
  const newer = steps.done.filter((one) => !before.has(one)).map((one) => renamedIn(one, renamed));
  return {
    done: [...older.toReversed(), ...single, ...newer].slice(-MAX_STEPS),
    undone: [],
  };
}

/** After rows that were never created have been dropped. */
export function withRowsDropped({ done, undone }: Steps, keys: ReadonlySet<string>): Steps {
  const inAll = (all: readonly Step[]) => all.flatMap((step) => withoutRows(step, keys) ?? []);
  return { done: inAll(done), undone: inAll(undone) };
}

/** A step without what it has written into rows; null: nothing is left of it. */
function withoutRows(step: Step, keys: ReadonlySet<string>): Step | null {
  const cells = step.cells.filter(({ jrid }) => !keys.has(jrid));
  if (cells.length === step.cells.length) return step;
  const { created, deleted = [], bulkEditId } = step;
  const isEmpty = cells.length + created.length + deleted.length === 0 && bulkEditId === null;
  return isEmpty ? null : { ...step, cells };
}

/** After deletions were undone by other means than their step: where all of one came back it can be redone. */
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
