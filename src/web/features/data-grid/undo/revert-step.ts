import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import type { DatasetCalls } from '../edit-store/datasets.calls.ts';
import type { CellWrite } from '../edit-store/edits.ts';
import {
  cellsOf,
  type Edits,
  entryIn,
  isNewRow,
  sameEntry,
  type Stored,
} from '../edit-store/edits.ts';
import type { Step, StepCell, StepCreation } from './steps.ts';
import { readHistories, turnDeletions } from './deletions.ts';
import { type LeftCell, whoChanged } from './who-changed.ts';

export interface TurnedPlace {
  readonly jrid: string;
  /** null: the record as a whole */
  readonly column: string | null;
}

export interface StepOutcome {
  /** what was asked for; the newest step may be another than the one there was when the key was pressed */
  readonly of: Step;
  /** cells and records that were undone or redone */
  readonly done: number;
  readonly left: readonly LeftCell[];
  /** why records could not be undone, or not be created or deleted again, or who changed them; null: nothing of the kind */
  readonly message: string | HistoryEntry | null;
  /** where it can be seen: cells that were turned around, records that are there again */
  readonly places: readonly TurnedPlace[];
  /** what of the step can be turned around again; null: nothing */
  readonly step: Step | null;
  /** records that were created again, by their former `jrid`: other steps name them so */
  readonly renamed: ReadonlyMap<string, string>;
}

export interface Turning {
  readonly calls: DatasetCalls;
  readonly columns: readonly Column[];
  readonly edits: () => Edits;
  /** takes over what a record holds now */
  readonly learn: (stored: Stored) => void;
  readonly write: (cells: readonly CellWrite[]) => void;
  /** has records gone from the grid */
  readonly forget: (jrids: readonly string[]) => void;
}

/** Who changed cells is looked up for as many as a message names. */
const NAMED = 3;
/**
 * Takes a step back, or does it again: a cell that holds what the step left there gets what was there before;
 * one that holds anything else was changed since by somebody and is left. Nothing that is not on the server yet
 * may wait in these records.
 * @throws {CallError} where the records cannot be read
 */
export async function revertStep(
  step: Step,
  way: 'undo' | 'redo',
  turning: Turning,
): Promise<StepOutcome> {
  const { calls, columns, edits, learn, write } = turning;
  const jrids = [...new Set(step.cells.map(({ jrid }) => jrid))].filter((jrid) => !isNewRow(jrid));
  const begun = edits().sequence;
  const now = await calls.several(jrids);
  for (const stored of now.values()) learn(stored);

  const created = new Set(edits().newRows.flatMap(({ key, stored }) => (stored ? key : [])));
  const writes: CellWrite[] = [];
  const turned: StepCell[] = [];
  const left: StepCell[] = [];
  for (const cell of step.cells) {
    const column = columns.find(({ name }) => name === cell.column);
    const listed = now.get(cell.jrid);
    // A row that is not created yet is known here alone; once it is, it is another step.
    const isHere = listed ?? (isNewRow(cell.jrid) && !created.has(cell.jrid));
    if (!column || !isHere) {
      left.push(cell);
      continue;
    }
    const value = listed?.dataset[column.name] ?? null;
    const edit = cellsOf(edits(), cell.jrid).get(column.name);
    const there = entryIn(edit, value);
    const [from, to] = way === 'undo' ? [cell.after, cell.before] : [cell.before, cell.after];
    // What somebody else has put there meanwhile is chosen in the cell, never written over from here.
    // Nor is what was typed while the records were read.
    const unread = edit?.status.is === 'unread' && edit.base !== value;
    const newer = unread || (edit !== undefined && edit.sequence > begun);
    if (newer || edit?.status.is === 'conflict' || !sameEntry(there, from)) {
      left.push(cell);
      continue;
    }
    turned.push(cell);
    writes.push({ key: cell.jrid, column, seen: value, listed: listed ?? null, ...to });
  }
  if (writes.length > 0) write(writes);

  const records = await turnRecords(step.created, way, turning);
  const deletion = await turnDeletions(step.deleted ?? [], way, turning);
  const kept: Step = {
    ...step,
    cells: turned,
    created: records.created,
    ...(step.deleted ? { deleted: deletion.deleted } : {}),
  };
  const done = turned.length + records.created.length + deletion.deleted.length;
  const there = way === 'undo' ? deletion.deleted : records.created.map(({ jrid }) => jrid);
  return {
    of: step,
    done,
    left: await Promise.all(
      left.map(async ({ jrid, column }, i) =>
        i < NAMED && !isNewRow(jrid)
          ? whoChanged(calls, jrid, column)
          : { jrid, column, by: null, at: null },
      ),
    ),
    message: records.message ?? deletion.message,
    places: [...turned, ...there.map((jrid) => ({ jrid, column: null }))],
    // What has means of its own is turned around by them.
    step: done > 0 || step.job !== null ? kept : null,
    renamed: records.renamed,
  };
}

async function turnRecords(
  created: readonly StepCreation[],
  way: 'undo' | 'redo',
  { calls, forget }: Turning,
): Promise<Pick<StepOutcome, 'message' | 'renamed'> & Pick<Step, 'created'>> {
  const renamed = new Map<string, string>();
  if (created.length === 0) return { created, message: null, renamed };
  try {
    if (way === 'redo') {
      const again = await calls.createAll(created.map(({ values }) => values));
      const renewed = created.flatMap(({ jrid: former, values }, i) => {
        const jrid = again[i]?.dataset.jrid;
        if (jrid === undefined) return [];
        renamed.set(former, jrid);
        return [{ jrid, values }];
      });
      return { created: renewed, message: null, renamed };
    }
    // What the clerk has changed in a record since goes with it; the service refuses what is another's.
    const jrids = created.map(({ jrid }) => jrid);
    const histories = await readHistories(calls, jrids);
    const [other] = [...histories.values()].flatMap((entries) => othersIn(entries));
    if (other) return { created: [], message: other, renamed };
    const historyIds = [...histories.values()].flat().map(({ historyId }) => historyId);
    await calls.undo(historyIds, jrids);
    forget(jrids);
    return { created, message: null, renamed };
  } catch (error) {
    return { created: [], message: summary(toFailure(error)), renamed };
  }
}

/** What others than the one who created a record have done to it, the newest first. */
function othersIn(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const creator = history.at(-1)?.user;
  return history.filter(({ user }) => user !== creator);
}
