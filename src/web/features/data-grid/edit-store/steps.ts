import type { Scalar } from '#shared/values/value-type.ts';
import { MAX_STEPS, type UndoStep, type UndoSteps } from '#web/undo/undo-steps.ts';
import type { CellEntry } from './edits.ts';
import * as undoTexts from '#messages/table-undo.ts';

/** One cell of a step; both entries in a form that can be written again. */
export interface StepCell {
  /** for a row that is not created yet: its key */
  readonly jrid: string;
  readonly column: string;
  readonly before: CellEntry;
  readonly after: CellEntry;
}

/** A record that a step has created. */
export interface StepCreation {
  readonly jrid: string;
  readonly values: Readonly<Record<string, Scalar>>;
  /** its history entry; null: unknown */
  readonly historyId: string | null;
}

/** One user action in a table. */
export interface TableStep extends UndoStep {
  readonly cells: readonly StepCell[];
  readonly created: readonly StepCreation[];
  /** the records that it deleted, by jrid */
  readonly deleted?: readonly string[];
  /** the service's bulk edit that did it, such as a large paste; the service reverts that */
  readonly bulkEditId: string | null;
}

/** The steps of a table. */
export type Steps = UndoSteps<TableStep>;

export const NO_STEPS: Steps = { done: [], undone: [] };

/** Replaces the former `jrid` of records that were created again. */
export function withRenamed(steps: Steps, renamed: ReadonlyMap<string, string>): Steps {
  if (renamed.size === 0) return steps;
  const inAll = (all: readonly TableStep[]) => all.map((step) => renamedIn(step, renamed));
  return { done: inAll(steps.done), undone: inAll(steps.undone) };
}

/** Steps without any of the records stay the same objects. */
function renamedIn(step: TableStep, renamed: ReadonlyMap<string, string>): TableStep {
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
 * After rows were created. The text typed into a row becomes one step, its creation. A step that has written into
 * several rows, such as a paste, stays one step and has the creations instead of their cells.
 * @param creations by row key
 * @param before the steps at the time of sending; text typed since is a change of the records
 */
export function withCreated(
  steps: Steps,
  creations: ReadonlyMap<string, StepCreation>,
  before: ReadonlySet<TableStep>,
): Steps {
  const keys = new Set(creations.keys());
  const renamed = new Map([...creations].map(([key, { jrid }]) => [key, jrid]));
  const open = new Map(creations);
  const older: TableStep[] = [];
  const end = steps.done.findLastIndex((one) => before.has(one)) + 1;
  // The newest step with several rows gets the creation: earlier text is part of it.
  for (const step of steps.done.slice(0, end).toReversed()) {
    if (!before.has(step)) {
      // The creation of another row, since these were sent.
      older.push(renamedIn(step, renamed));
      continue;
    }
    const rows = new Set(step.cells.map(({ jrid }) => jrid));
    const created = [...step.created];
    if (rows.size + created.length > 1) {
      for (const key of rows) {
        const creation = open.get(key);
        if (creation) created.push(creation);
        open.delete(key);
      }
    }
    // Rows that are being created know their steps by these objects.
    const isUnchanged = created.length === step.created.length;
    const left = withoutRows(isUnchanged ? step : { ...step, created }, keys);
    if (left !== null) older.push(left);
  }
  const single = [...open.values()].map((creation): TableStep => ({
    label: undoTexts.creating,
    cells: [],
    created: [creation],
    bulkEditId: null,
  }));
  const newer = steps.done.slice(end).map((one) => renamedIn(one, renamed));
  return {
    done: [...older.toReversed(), ...single, ...newer].slice(-MAX_STEPS),
    undone: [],
  };
}

/** After rows that were never created were dropped. */
export function withRowsDropped({ done, undone }: Steps, keys: ReadonlySet<string>): Steps {
  const inAll = (all: readonly TableStep[]) => all.flatMap((step) => withoutRows(step, keys) ?? []);
  return { done: inAll(done), undone: inAll(undone) };
}

/** A step without its writes to some rows; null: nothing is left. */
function withoutRows(step: TableStep, keys: ReadonlySet<string>): TableStep | null {
  const cells = step.cells.filter(({ jrid }) => !keys.has(jrid));
  if (cells.length === step.cells.length) return step;
  const { created, deleted = [], bulkEditId } = step;
  const isEmpty = cells.length + created.length + deleted.length === 0 && bulkEditId === null;
  return isEmpty ? null : { ...step, cells };
}

/** After deletions were undone by other means than their step: a step whose records are all restored can be redone. */
export function withRestored(steps: Steps, jrids: readonly string[]): Steps {
  const restored = new Set(jrids);
  const undone: TableStep[] = [];
  const done = steps.done.flatMap((step) => {
    const left = step.deleted?.filter((jrid) => !restored.has(jrid));
    if (!left || left.length === step.deleted?.length) return step;
    if (left.length > 0) return { ...step, deleted: left };
    undone.push(step);
    return [];
  });
  return { done, undone: [...steps.undone, ...undone.toReversed()] };
}
