import type { Dataset } from '#shared/contract/answers.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { recordLabel } from '../record/record-label.ts';
import { OUTCOME, type Plan } from './paste-plan.ts';
import * as texts from '#messages/paste.ts';

/** Values beyond this number are compared with the table only when they are saved: each hundred costs a request. */
const MAX_COMPARED = 5_000;
/** Longer values would not fit into an address together. */
const MAX_COMPARED_LENGTH = 500;

interface UniqueCheck {
  readonly allColumns: readonly Column[];
  /** the first target row of the grid, from 1 */
  readonly firstRow: number;
  /** finds the records that have values of a unique column, by `equalityKey` */
  readonly findRecordsByValue: (
    column: Column,
    values: readonly Scalar[],
  ) => Promise<ReadonlyMap<Scalar, Dataset>>;
}

/**
 * Marks the cells of a plan that would violate a unique column: values of an earlier row of the paste, and values of
 * records that keep them. The service applies the same rule (`modules/records/unique-columns.ts`); here the user sees it before
 * anything is written.
 * @throws {CallError} if the table cannot be read
 */
export async function markDuplicates(plan: Plan, check: UniqueCheck): Promise<Plan> {
  const rejected = new Map<number, string>();
  let isComplete = true;
  for (const [at, column] of plan.columns.entries()) {
    if (!column.unique) continue;
    const { firstRows, cells, repeated } = valuesGiven(plan, at, column);
    for (const [index, first] of repeated) {
      const row = check.firstRow + Math.floor(first / plan.columns.length);
      rejected.set(index, texts.notUniqueInPaste({ row, column: column.label || column.name }));
    }
    const compared = cells.filter(({ value }) => String(value).length <= MAX_COMPARED_LENGTH);
    if (compared.length < cells.length || compared.length > MAX_COMPARED) isComplete = false;
    const values = compared.slice(0, MAX_COMPARED).map(({ value }) => value);
    // Few columns are unique.
    const holders = values.length > 0 ? await check.findRecordsByValue(column, values) : new Map();
    const freed = recordsFreed(plan, at);
    for (const [key, index] of firstRows) {
      const holder = holders.get(key);
      if (!holder || freed.has(holder.jrid)) continue;
      rejected.set(index, takenBy(holder, column, check.allColumns));
    }
  }
  return withRejected(plan, rejected, isComplete);
}

/** The values that a plan writes into a unique column; `repeated`: cells with the value of an earlier cell. */
function valuesGiven(plan: Plan, at: number, { type }: Column) {
  const repeated = new Map<number, number>();
  const firstRows = new Map<Scalar, number>();
  const cells: { readonly value: Scalar }[] = [];
  for (const row of plan.targets.keys()) {
    const index = row * plan.columns.length + at;
    const value = plan.values[index] ?? null;
    if (plan.outcomes[index] !== OUTCOME.changed || value === null) continue;
    const key = equalityKey(type, value);
    const first = firstRows.get(key);
    if (first === undefined) {
      firstRows.set(key, index);
      cells.push({ value });
    } else repeated.set(index, first);
  }
  return { firstRows, cells, repeated };
}

/** The records that get another value in a column: their old values become free. */
function recordsFreed({ targets, outcomes, columns }: Plan, at: number): ReadonlySet<string> {
  const freed = new Set<string>();
  for (const [row, target] of targets.entries()) {
    const isChanged = outcomes[row * columns.length + at] === OUTCOME.changed;
    if (isChanged && target.is === 'record') freed.add(target.stored.dataset.jrid);
  }
  return freed;
}

function takenBy(holder: Dataset, column: Column, allColumns: readonly Column[]): string {
  const values = recordLabel(
    allColumns.filter(({ name }) => name !== column.name),
    (name) => holder[name],
  );
  const of = { jrid: holder.jrid, column: column.label || column.name };
  return values === '' ? texts.notUnique(of) : texts.notUniqueWith({ ...of, values });
}

function withRejected(
  plan: Plan,
  rejected: ReadonlyMap<number, string>,
  isComplete: boolean,
): Plan {
  if (rejected.size === 0) return { ...plan, uniqueCompared: isComplete };
  const outcomes = Uint8Array.from(plan.outcomes);
  const counts = { ...plan.counts, invalid: plan.counts.invalid + rejected.size };
  for (const index of rejected.keys()) {
    outcomes[index] = OUTCOME.invalid;
    const target = plan.targets[Math.floor(index / plan.columns.length)];
    if (target?.is === 'record') counts.changed--;
  }
  const messages = new Map([...plan.messages, ...rejected]);
  return { ...plan, outcomes, messages, counts, uniqueCompared: isComplete };
}
