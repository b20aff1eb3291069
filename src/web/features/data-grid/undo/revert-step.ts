import type { HistoryEntry } from '#shared/contract/answers.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import type { UndoDirection } from '#web/undo/undo-steps.ts';
import type { DatasetCalls } from '../edit-store/datasets.calls.ts';
import {
  type CellWrite,
  cellsOf,
  entryOfCell,
  isNewRow,
  isSameEntry,
} from '../edit-store/edits.ts';
import type { Reverted } from '../edit-store/step-store.ts';
import type { TableStep, StepCell, StepCreation } from '../edit-store/steps.ts';
import { isDeletion, readHistories, revertDeletions } from './deletions.ts';
import type { RevertContext } from './revert-context.ts';

export interface RevertedCell {
  readonly jrid: string;
  /** null: the record as a whole */
  readonly column: string | null;
}

/** What was left unchanged, because it was changed by someone else since. */
interface Skipped extends RevertedCell {
  /** that change; null: unknown */
  readonly change: HistoryEntry | null;
}

export interface StepOutcome extends Reverted {
  /** the requested step; by now another step may be the newest */
  readonly of: TableStep;
  /** number of cells and records that were undone or redone */
  readonly done: number;
  readonly skipped: readonly Skipped[];
  /** why records could not be undone, created or deleted again, or who changed them; null: no such problem */
  readonly message: string | HistoryEntry | null;
  /** where the result is visible: reverted cells, restored records */
  readonly reverted: readonly RevertedCell[];
}

/** For how many cells the later change is read: one request each. */
const MAX_HISTORY_READS = 100;

/**
 * Reverts or redoes a step: a cell that still has the value that the step left gets the previous one; a cell with
 * another value was changed since by someone and is skipped. No edits of these records may be pending.
 * @throws {CallError} if the records cannot be read
 */
export async function revertStep(
  step: TableStep,
  direction: UndoDirection,
  context: RevertContext,
): Promise<StepOutcome> {
  const { editStore, columns } = context;
  const { calls, get: edits } = editStore;
  const jrids = [...new Set(step.cells.map(({ jrid }) => jrid))].filter((jrid) => !isNewRow(jrid));
  const startSequence = edits().sequence;
  const now = await calls.several(jrids);
  for (const stored of now.values()) editStore.receive(stored);

  const created = new Set(edits().newRows.flatMap(({ key, stored }) => (stored ? key : [])));
  const writes: CellWrite[] = [];
  const reverted: StepCell[] = [];
  const left: StepCell[] = [];
  for (const cell of step.cells) {
    const column = columns.find(({ name }) => name === cell.column);
    const listed = now.get(cell.jrid);
    // A row that is not created yet exists only here; once created, it belongs to another step.
    const exists = listed ?? (isNewRow(cell.jrid) && !created.has(cell.jrid));
    if (!column || !exists) {
      left.push(cell);
      continue;
    }
    const value = listed?.dataset[column.name] ?? null;
    const edit = cellsOf(edits(), cell.jrid).get(column.name);
    const present = entryOfCell(edit, value);
    const [from, to] = direction === 'undo' ? [cell.after, cell.before] : [cell.before, cell.after];
    // In a conflict the user chooses the value; undo never overwrites it. The same holds for text typed while the
    // records were read.
    const unread = edit?.status.is === 'unread' && edit.base !== value;
    const newer = unread || (edit !== undefined && edit.sequence > startSequence);
    if (newer || edit?.status.is === 'conflict' || !isSameEntry(present, from)) {
      left.push(cell);
      continue;
    }
    reverted.push(cell);
    // A cell of a new row that is as before it was filled has its default.
    const written = listed || direction === 'redo' ? column : { ...column, default: null };
    writes.push({
      key: cell.jrid,
      column: written,
      initialValue: value,
      listed: listed ?? null,
      ...to,
    });
  }
  if (writes.length > 0) editStore.writeReverted(writes);

  const records = await revertRecords(step.created, direction, context);
  const deletion = await revertDeletions(step.deleted ?? [], direction, context);
  const remaining: TableStep = {
    ...step,
    cells: reverted,
    created: records.created,
    ...(step.deleted ? { deleted: deletion.deleted } : {}),
  };
  const done = reverted.length + records.created.length + deletion.deleted.length;
  const restored =
    direction === 'undo' ? deletion.deleted : records.created.map(({ jrid }) => jrid);
  return {
    of: step,
    done,
    skipped: [...(await withChanges(left, calls)), ...(records.left ?? [])],
    message: records.message ?? deletion.message,
    reverted: [...reverted, ...restored.map((jrid) => ({ jrid, column: null }))],
    step: done > 0 ? remaining : null,
    renamed: records.renamed ?? new Map(),
  };
}

/** The skipped cells, the first of them with the later change. */
async function withChanges(
  cells: readonly StepCell[],
  calls: DatasetCalls,
): Promise<readonly Skipped[]> {
  const skipped: Skipped[] = [];
  for (const [i, { jrid, column }] of cells.entries()) {
    // One at a time leaves room for others.
    const isRead = i < MAX_HISTORY_READS && !isNewRow(jrid);
    const history: readonly HistoryEntry[] = isRead
      ? await calls.history(jrid).catch(() => [])
      : [];
    const [last] = history;
    const change =
      last && isDeletion(last)
        ? last
        : history.find(({ changes }) => changes.some(({ name }) => name === column));
    skipped.push({ jrid, column, change: change ?? null });
  }
  return skipped;
}

interface RevertedRecords
  extends Pick<TableStep, 'created'>, Partial<Pick<StepOutcome, 'message' | 'renamed'>> {
  /** records that stay, because others have changed them since */
  readonly left?: readonly Skipped[];
}

async function revertRecords(
  created: readonly StepCreation[],
  direction: UndoDirection,
  context: RevertContext,
): Promise<RevertedRecords> {
  if (created.length === 0) return { created };
  try {
    return await (direction === 'redo'
      ? createAgain(created, context.editStore.calls)
      : removeCreated(created, context));
  } catch (error) {
    return { created: [], message: summary(toFailure(error)) };
  }
}

async function createAgain(
  created: readonly StepCreation[],
  calls: DatasetCalls,
): Promise<RevertedRecords> {
  const renamed = new Map<string, string>();
  const createdAgain = await calls.create(created.map(({ values }) => values));
  const renewed = created.flatMap(({ jrid: former, values }, i) => {
    const record = createdAgain[i];
    if (!record) return [];
    const { dataset, historyId } = record;
    renamed.set(former, dataset.jrid);
    return [{ jrid: dataset.jrid, values, historyId }];
  });
  return { created: renewed, renamed };
}

/** Removes created records, except those that others have changed since. */
async function removeCreated(
  created: readonly StepCreation[],
  { editStore, username }: RevertContext,
): Promise<RevertedRecords> {
  const jridsOf = (some: readonly StepCreation[]) => some.map(({ jrid }) => jrid);
  const { calls } = editStore;
  if (await undoCreation(created, calls)) {
    editStore.forgetRecords(jridsOf(created));
    return { created };
  }
  // The user's own later changes of the record are deleted with it; the service rejects deleting those of others.
  const histories = await readHistories(calls, jridsOf(created));
  const others = created.flatMap(({ jrid }): Skipped[] => {
    const change = histories.get(jrid)?.find(({ user }) => user !== username);
    return change ? [{ jrid, column: columnIn(change), change }] : [];
  });
  const kept = new Set(others.map(({ jrid }) => jrid));
  const own = created.filter(({ jrid }) => !kept.has(jrid));
  const [only, another] = others;
  if (own.length === 0 && only && !another) return { created: own, message: only.change };
  if (own.length > 0) {
    const entries = own.flatMap(({ jrid }) =>
      (histories.get(jrid) ?? []).map(({ historyId }) => ({ jrid, historyId })),
    );
    await calls.undo(entries);
    editStore.forgetRecords(jridsOf(own));
  }
  return { created: own, left: others };
}

/** The column that an entry of the history changes; null: several. */
function columnIn({ changes: [change, another] }: HistoryEntry): string | null {
  return change && !another ? change.name : null;
}

/** Reverts creations of records that nobody has changed since. @returns whether nobody had */
async function undoCreation(
  created: readonly StepCreation[],
  calls: DatasetCalls,
): Promise<boolean> {
  const entries = created.flatMap(({ jrid, historyId }) => (historyId ? { jrid, historyId } : []));
  if (entries.length < created.length) return false;
  try {
    await calls.undo(entries);
    return true;
  } catch (error) {
    if (toFailure(error).kind === 'api') return false;
    throw error;
  }
}
