import type { StepCell } from './steps.ts';
import {
  type CellWrite,
  cellsOf,
  type Edits,
  entryAfter,
  entryOfCell,
  isSameEntry,
  jridOf,
  type RowKey,
  writeEntry,
} from './edits.ts';
import type { ServerRecords } from './server-records.ts';
import { updateRows } from './update-rows.ts';

/**
 * Writes entries into cells. Where no edit of a record is pending, its listed version replaces the known one in `records`.
 * @returns the edits, and the changes for an undo step
 */
export function writeCells(
  edits: Edits,
  cells: readonly CellWrite[],
  records: Pick<ServerRecords, 'adoptListed' | 'get' | 'isSending'>,
): { readonly edits: Edits; readonly changes: readonly StepCell[] } {
  const changes: StepCell[] = [];
  const rows = Map.groupBy(cells, ({ key }) => key);
  const writeRow = (alone: Edits, row: RowKey): Edits => {
    let next = alone;
    for (const { key, column, initialValue, listed, ...entry } of rows.get(row) ?? []) {
      const jrid = jridOf(next, key);
      // While edits are pending, their answers are newer than what a list may show.
      const settled = cellsOf(next, key).size === 0;
      if (listed && jrid !== undefined && settled) records.adoptListed(jrid, listed);
      const server = jrid === undefined ? undefined : records.get(jrid)?.dataset;
      const stored = server?.[column.name] ?? null;
      const before = entryOfCell(cellsOf(next, key).get(column.name), stored);
      const isSending = jrid !== undefined && records.isSending(jrid, column.name);
      next = writeEntry(next, { key, column, entry, initialValue, stored, isSending });
      const after = entryAfter(next, { key, column, entry, stored });
      if (!isSameEntry(before, after)) {
        changes.push({ jrid: jrid ?? key, column: column.name, before, after });
      }
    }
    return next;
  };
  return { edits: updateRows(edits, rows.keys(), writeRow), changes };
}
