import type { Scalar } from '#shared/values/values.ts';
import type { Entry } from '../edit-store/edits.ts';

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
}

/** One act of the clerk, as it is undone and redone. */
export interface Step {
  /** what it was, in words that stand after “Undo”: `filling cells` */
  readonly label: string;
  readonly cells: readonly StepCell[];
  readonly created: readonly StepCreation[];
  /** the records that it has deleted, by jrid */
  readonly deleted?: readonly string[];
  /** something larger that is undone by its own means: the id of a paste */
  readonly job: string | null;
}

/** The steps of a table, the newest last. */
export interface Steps {
  readonly done: readonly Step[];
  /** undone, the last one first to be redone */
  readonly undone: readonly Step[];
}

export const NO_STEPS: Steps = { done: [], undone: [] };
const MOST_STEPS = 1_000;

/** After a new act nothing that was undone before can be redone. */
export function withStep({ done }: Steps, step: Step): Steps {
  return { done: [...done, step].slice(-MOST_STEPS), undone: [] };
}

/** Moves a step to those undone, as far as it was; null: nothing of it was. Newer ones may have come since. */
export function stepUndone({ done, undone }: Steps, step: Step, left: Step | null): Steps {
  return { done: done.filter((one) => one !== step), undone: left ? [...undone, left] : undone };
}

export function stepRedone({ done, undone }: Steps, step: Step, left: Step | null): Steps {
  return { done: left ? [...done, left] : done, undone: undone.filter((one) => one !== step) };
}

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
 * After a row was created: that is one step, in the place of all that made up the row.
 * @param key of the row
 * @param before the steps there were when it was sent; what was typed into it since are changes of the record
 */
export function withCreated(
  steps: Steps,
  key: string,
  creation: StepCreation,
  before: ReadonlySet<Step>,
): Steps {
  const step: Step = { label: 'creating a record', cells: [], created: [creation], job: null };
  const isOlder = (one: Step) => before.has(one);
  const renamed = new Map([[key, creation.jrid]]);
  const older = steps.done.filter(isOlder).flatMap((one) => withoutRows(one, new Set([key])));
  const newer = steps.done.filter((one) => !isOlder(one)).map((one) => renamedIn(one, renamed));
  return { done: [...older, step, ...newer].slice(-MOST_STEPS), undone: [] };
}

/** After rows that were never created have been dropped. */
export function withRowsDropped({ done, undone }: Steps, keys: ReadonlySet<string>): Steps {
  const inAll = (all: readonly Step[]) => all.flatMap((step) => withoutRows(step, keys));
  return { done: inAll(done), undone: inAll(undone) };
}

function withoutRows(step: Step, keys: ReadonlySet<string>): Step | [] {
  const cells = step.cells.filter(({ jrid }) => !keys.has(jrid));
  if (cells.length === step.cells.length) return step;
  const { created, deleted = [], job } = step;
  const nothing = cells.length + created.length + deleted.length === 0 && job === null;
  return nothing ? [] : { ...step, cells };
}

/**
 * Adds the steps of a tab that is no more, as older ones: each is held against what its cells hold, so that their
 * order among this tab's does no harm.
 * @param renamed its rows that are not created yet, by their keys there
 * @param overruled cells into which both tabs have typed
 */
export function withAdopted(
  { done, undone }: Steps,
  left: Steps,
  renamed: ReadonlyMap<string, string>,
  overruled: readonly StepCell[],
): Steps {
  const theirs = withRenamed(left, renamed);
  const label = 'typing over another window';
  const over: Step[] =
    overruled.length > 0 ? [{ label, cells: overruled, created: [], job: null }] : [];
  return {
    done: [...theirs.done, ...done, ...over].slice(-MOST_STEPS),
    undone: [...theirs.undone, ...undone],
  };
}

/** After another tab has taken over what this one had written down. */
export function withoutTaken({ done, undone }: Steps, taken: Steps): Steps {
  const gone = new Set([...taken.done, ...taken.undone]);
  const left = (all: readonly Step[]) => all.filter((step) => !gone.has(step));
  return { done: left(done), undone: left(undone) };
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

/** What steps lead to that is undone by means of its own. */
export function jobsOf({ done, undone }: Steps): readonly string[] {
  return [...done, ...undone].flatMap(({ job }) => job ?? []);
}
