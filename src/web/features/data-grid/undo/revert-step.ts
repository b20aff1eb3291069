import type { HistoryEntry } from '#shared/contract/answers.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import type { UndoDirection } from '#web/undo/undo-steps.ts';
import type { DatasetCalls } from '../edit-store/datasets.calls.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import {
  type CellWrite,
  cellsOf,
  entryOfCell,
  isNewRow,
  isSameEntry,
} from '../edit-store/edits.ts';
import type { Reverted } from '../edit-store/step-store.ts';
import type { TableStep, StepCell, StepCreation } from '../edit-store/steps.ts';
import { readHistories, revertDeletions } from './deletions.ts';
import type { RevertContext } from './revert-context.ts';
import { isDeletion, type SkippedCell, findAuthor } from './find-author.ts';

export interface RevertedCell {
  readonly jrid: string;
  /** null: the record as a whole */
  readonly column: string | null;
}

export interface StepOutcome extends Reverted {
  /** the requested step; by now another step may be the newest */
  readonly of: TableStep;
  /** number of cells and records that were undone or redone */
  readonly done: number;
  readonly skipped: readonly SkippedCell[];
  /** why records could not be undone, created or deleted again, or who changed them; null: no such problem */
  readonly message: string | HistoryEntry | null;
  /** where the result is visible: reverted cells, restored records */
  readonly reverted: readonly RevertedCell[];
}

/** For how many cells the author of a later change is read: one request each. */
const MAX_AUTHOR_LOOKUPS = 100;

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

  const records = await revertRecords(step.created, direction, editStore);
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
    skipped: [...(await withAuthors(left, calls)), ...records.left],
    message: records.message ?? deletion.message,
    reverted: [...reverted, ...restored.map((jrid) => ({ jrid, column: null }))],
    step: done > 0 ? remaining : null,
    renamed: records.renamed,
  };
}

/** The skipped cells, with the author of the later change for the first of them. */
async function withAuthors(
  cells: readonly StepCell[],
  calls: DatasetCalls,
): Promise<readonly SkippedCell[]> {
  const left: SkippedCell[] = [];
  for (const [i, { jrid, column }] of cells.entries()) {
    const isNamed = i < MAX_AUTHOR_LOOKUPS && !isNewRow(jrid);
    left.push(
      // One at a time leaves room for others.
      isNamed ? await findAuthor(calls, jrid, column) : { jrid, column, by: null, at: null },
    );
  }
  return left;
}

interface RevertedRecords
  extends Pick<StepOutcome, 'message' | 'renamed'>, Pick<TableStep, 'created'> {
  /** records that stay, because others have changed them since */
  readonly left: readonly SkippedCell[];
}

async function revertRecords(
  created: readonly StepCreation[],
  direction: UndoDirection,
  editStore: EditStore,
): Promise<RevertedRecords> {
  const nothing = { message: null, renamed: new Map<string, string>(), left: [] };
  if (created.length === 0) return { ...nothing, created };
  try {
    return direction === 'redo'
      ? { ...nothing, ...(await createAgain(created, editStore.calls)) }
      : { ...nothing, ...(await removeCreated(created, editStore)) };
  } catch (error) {
    return { ...nothing, created: [], message: summary(toFailure(error)) };
  }
}

async function createAgain(
  created: readonly StepCreation[],
  calls: DatasetCalls,
): Promise<Pick<RevertedRecords, 'created' | 'renamed'>> {
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
  editStore: EditStore,
): Promise<Partial<RevertedRecords> & Pick<RevertedRecords, 'created'>> {
  const jridsOf = (some: readonly StepCreation[]) => some.map(({ jrid }) => jrid);
  const { calls } = editStore;
  if (await undoCreation(created, calls)) {
    editStore.forgetRecords(jridsOf(created));
    return { created };
  }
  // The user's own later changes of the record are deleted with it; the service rejects deleting those of others.
  const histories = await readHistories(calls, jridsOf(created));
  const isOwn = ({ jrid }: StepCreation) => othersIn(histories.get(jrid) ?? []).length === 0;
  const own = created.filter(isOwn);
  const others = created
    .filter((creation) => !isOwn(creation))
    .map(({ jrid }) => ({ jrid, entries: othersIn(histories.get(jrid) ?? []) }));
  const [only, another] = others;
  if (own.length > 0) {
    await calls.undo(
      own.flatMap(({ jrid }) =>
        (histories.get(jrid) ?? []).map(({ historyId }) => ({ jrid, historyId })),
      ),
    );
    editStore.forgetRecords(jridsOf(own));
  } else if (only && !another) return { created: own, message: only.entries[0] ?? null };
  return {
    created: own,
    left: others.map(({ jrid, entries: [entry] }) => ({
      jrid,
      column: columnIn(entry),
      by: entry?.user ?? null,
      at: entry?.at ?? null,
      deleted: entry !== undefined && isDeletion(entry),
    })),
  };
}

/** The column that an entry of the history changes; null: several. */
function columnIn(entry: HistoryEntry | undefined): string | null {
  const [change, another] = entry?.changes ?? [];
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

/** The changes of a record by others than its creator, newest first. */
function othersIn(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const creator = history.at(-1)?.user;
  return history.filter(({ user }) => user !== creator);
}
