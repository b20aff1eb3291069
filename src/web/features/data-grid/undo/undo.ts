import type { HistoryEntry } from '#shared/answers.ts';
import type { Column } from '#shared/definitions.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import type { DatasetCalls } from '../datasets.calls.ts';
import type { CellWrite } from '../desk.ts';
import { cellsOf, type Edits, entryIn, sameEntry, type Stored } from '../edits.ts';
import type { Step, StepCell, StepCreation } from './steps.ts';

/** A cell that was left as it is, as somebody has changed it since. */
interface LeftCell {
  readonly jrid: string;
  readonly column: string;
  /** who, and when (ISO 8601); null where that could not be found out */
  readonly by: string | null;
  readonly at: string | null;
}

export interface StepOutcome {
  readonly label: string;
  /** cells and records that were taken back or done again */
  readonly done: number;
  readonly left: readonly LeftCell[];
  /** why records that were created could not be taken back; null: nothing of the kind */
  readonly message: string | null;
  /** what of the step can be turned around again; null: nothing */
  readonly step: Step | null;
}

interface Turning {
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
export async function turnAround(
  step: Step,
  way: 'undo' | 'redo',
  turning: Turning,
): Promise<StepOutcome> {
  const { calls, columns, edits, learn, write } = turning;
  const jrids = [...new Set(step.cells.map(({ jrid }) => jrid))];
  const now = await calls.several(jrids);
  for (const stored of now.values()) learn(stored);

  const writes: CellWrite[] = [];
  const turned: StepCell[] = [];
  const left: StepCell[] = [];
  for (const cell of step.cells) {
    const column = columns.find(({ name }) => name === cell.column);
    const listed = now.get(cell.jrid);
    if (!column || !listed) {
      left.push(cell);
      continue;
    }
    const value = listed.dataset[column.name] ?? null;
    const edit = cellsOf(edits(), cell.jrid).get(column.name);
    const there = entryIn(edit, value);
    const [from, to] = way === 'undo' ? [cell.after, cell.before] : [cell.before, cell.after];
    if (!sameEntry(there, from)) {
      left.push(cell);
      continue;
    }
    turned.push(cell);
    writes.push({ key: cell.jrid, column, seen: value, listed, ...to });
  }
  if (writes.length > 0) write(writes);

  const records = await turnRecords(step.created, way, turning);
  const kept: Step = { ...step, cells: turned, created: records.created };
  const done = turned.length + records.created.length;
  return {
    label: step.label,
    done,
    left: await Promise.all(left.map((cell, i) => whoChanged(calls, cell, i < NAMED))),
    message: records.message,
    step: done > 0 ? kept : null,
  };
}

async function turnRecords(
  created: readonly StepCreation[],
  way: 'undo' | 'redo',
  { calls, forget }: Turning,
): Promise<{ created: readonly StepCreation[]; message: string | null }> {
  if (created.length === 0) return { created, message: null };
  try {
    if (way === 'redo') {
      const again = await calls.createAll(created.map(({ values }) => values));
      const renewed = created.flatMap(({ values }, i) => {
        const jrid = again[i]?.dataset.jrid;
        return jrid === undefined ? [] : [{ jrid, values }];
      });
      return { created: renewed, message: null };
    }
    await calls.undoNewest(created.map(({ jrid }) => jrid));
    forget(created.map(({ jrid }) => jrid));
    return { created, message: null };
  } catch (error) {
    return { created: [], message: summary(toFailure(error)) };
  }
}

async function whoChanged(
  calls: DatasetCalls,
  { jrid, column }: StepCell,
  ask: boolean,
): Promise<LeftCell> {
  const unknown = { jrid, column, by: null, at: null };
  if (!ask) return unknown;
  const entries = await calls.history(jrid).catch((): readonly HistoryEntry[] => []);
  const entry = entries.find(({ changes }) => changes.some(({ name }) => name === column));
  return entry ? { jrid, column, by: entry.user, at: entry.at } : unknown;
}
