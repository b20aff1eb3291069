import type { Column } from '#shared/rules/definitions.ts';
import type { Notation } from '#shared/values/readings.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { ClipCell } from './clip.ts';
import type { PastedRow } from './paste.mutations.ts';
import type { Target } from './paste-plan.ts';
import { readClipCell } from './read-cell.ts';

/**
 * A row of a paste in a request: values of valid cells, else their text, which the service rejects with the reason.
 * Rows keep their numbers: one that was deleted since the list was loaded is empty.
 * @param columns the target columns, from the focused one on
 * @param notations for each of them, the notation of its texts
 */
export function pastedRow(
  columns: readonly Column[],
  notations: readonly Notation[],
  target: Target,
  cells: readonly ClipCell[] = [],
): PastedRow {
  const stored = target.is === 'record' ? target.stored : null;
  const values: Scalar[] = [];
  for (const [at, column] of columns.entries()) {
    const cell = cells[at];
    const written = notations[at];
    // A shorter row leaves the columns after its end unchanged.
    if (!cell || !written) break;
    const current = stored?.dataset[column.name] ?? null;
    const reading = readClipCell(column, cell, current, written);
    values.push(
      reading.kind === 'value' ? reading.value : reading.kind === 'unchanged' ? current : cell.text,
    );
  }
  if (stored) return { jrid: stored.dataset.jrid, ifMatch: stored.etag, cells: values };
  return { cells: target.is === 'new' ? values : [] };
}
