import type { Column } from '#shared/rules/definitions.ts';
import { UNKNOWN_NOTATION } from '#shared/values/readings.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { CellEntry, CellWrite, RowKey } from '../edit-store/edits.ts';
import type { ClipCell } from './clip.ts';
import { changesRow, type Plan, type PlannedCell, type Target } from './paste-plan.ts';
import { readClipCell } from './read-cell.ts';
import * as texts from '#messages/tables.ts';

/** The number of rows that the grid writes itself; the service writes larger pastes. */
export const MAX_SMALL_PASTE = 1000;

/**
 * The writes of a small paste: values, and invalid texts of the clipboard.
 * @param currentValue returns the present value of a row's cell
 * @param newKey returns the key of the next new row, by the number of cells written into new rows before it
 */
export function writesOf(
  { rows }: Plan,
  currentValue: (target: Target, column: Column) => Scalar,
  newKey: (cellsBefore: number) => RowKey,
): { readonly writes: readonly CellWrite[]; readonly created: readonly RowKey[] } {
  const inNew: CellWrite[] = [];
  const inRecords: CellWrite[] = [];
  const created: RowKey[] = [];
  for (const { target, cells } of rows) {
    if (target.is === 'deleted' || !changesRow({ cells })) continue;
    const isNew = target.is === 'new';
    const key = isNew ? newKey(inNew.length) : target.key;
    if (target.is !== 'record') created.push(key);
    const listed = target.is === 'record' ? target.stored : null;
    for (const cell of cells) {
      const entry = entryOf(cell);
      if (!entry) continue;
      const { column } = cell;
      const initialValue = currentValue(target, column);
      (isNew ? inNew : inRecords).push({ key, column, initialValue, listed, ...entry });
    }
  }
  return { writes: [...inNew, ...inRecords], created };
}

/** The entry of a planned cell; null: no change. */
function entryOf(cell: PlannedCell): CellEntry | null {
  switch (cell.kind) {
    case 'value':
      return { value: cell.value };
    case 'unreadable':
      return unreadEntry(cell.text, cell.message);
    case 'ambiguous':
      return unreadEntry(cell.text, texts.ambiguous);
    default:
      return null;
  }
}

/**
 * The entry of one clipboard cell: the value from the other program, or its text to parse as if typed; null: no change.
 * @param initialValue the value in the cell
 */
export function clipEntryOf(
  column: Column,
  cell: ClipCell,
  initialValue: Scalar,
): CellEntry | null {
  const reading = readClipCell(column, cell, initialValue, UNKNOWN_NOTATION);
  const isTyped = !cell.exact || reading.kind === 'ambiguous';
  return isTyped && reading.kind !== 'unchanged'
    ? { typed: cell.text }
    : entryOf({ column, text: cell.text, ...reading });
}

/**
 * An invalid text of a paste stays in its cell, with the message of the preview: parsed again in the user's format it
 * might become a value that the user has not seen.
 */
function unreadEntry(typed: string, objection: string): CellEntry {
  // A required value that was emptied has no text that could be misread.
  return typed === '' ? { typed } : { typed, objection };
}

/** The result of a paste that has created records: `5 rows are pasted.` */
export function pastedText(rows: number, unsaved: number): string {
  return unsaved === 0
    ? texts.pasted(rows)
    : texts.pastedInPart({ pasted: rows - unsaved, rows, unsaved });
}
