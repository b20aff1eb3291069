import type { Column } from '#shared/rules/definitions.ts';
import { UNKNOWN_NOTATION } from '#shared/values/readings.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { CellWrite } from '../edit-store/edits.ts';
import type { CellEntry, RowKey } from '../edit-store/edits.ts';
import type { ClipCell } from './clip.ts';
import { changesRow, OUTCOME, messageOf, type Plan } from './paste-plan.ts';
import { readClipCell } from './read-cell.ts';
import * as texts from '#messages/tables.ts';

/** The number of rows that the grid writes itself; the service writes larger pastes. */
export const MAX_SMALL_PASTE = 1000;

/**
 * The writes of a small paste: values, and invalid texts of the clipboard.
 * @param newKeys returns the key of the next new row, by the number of cells written into new rows before it
 */
export function writesOf(
  plan: Plan,
  currentValue: (row: number, column: number) => Scalar,
  newKey: (cellsBefore: number) => RowKey,
): { readonly writes: readonly CellWrite[]; readonly created: readonly RowKey[] } {
  const { columns, targets, cells, outcomes, values } = plan;
  const inNew: CellWrite[] = [];
  const inRecords: CellWrite[] = [];
  const created: RowKey[] = [];
  for (const [row, target] of targets.entries()) {
    if (target.is === 'deleted' || !changesRow(plan, row)) continue;
    const isNew = target.is === 'new';
    const key = isNew ? newKey(inNew.length) : target.key;
    if (target.is !== 'record') created.push(key);
    const listed = target.is === 'record' ? target.stored : null;
    for (const [at, column] of columns.entries()) {
      const index = row * columns.length + at;
      const outcome = outcomes[index];
      if (
        outcome !== OUTCOME.changed &&
        outcome !== OUTCOME.invalid &&
        outcome !== OUTCOME.ambiguous
      )
        continue;
      const content =
        outcome === OUTCOME.changed
          ? { value: values[index] ?? null }
          : unreadEntry(cells[row]?.[at]?.text ?? '', messageOf(plan, index));
      const write = { key, column, initialValue: currentValue(row, at), listed, ...content };
      (isNew ? inNew : inRecords).push(write);
    }
  }
  return { writes: [...inNew, ...inRecords], created };
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
  if (reading.kind === 'unchanged') return null;
  if (!cell.exact || reading.kind === 'ambiguous') return { typed: cell.text };
  return reading.kind === 'value'
    ? { value: reading.value }
    : unreadEntry(cell.text, reading.message);
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
