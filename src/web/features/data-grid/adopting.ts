import {
  type CellEdit,
  type Cells,
  cellsOf,
  type Edits,
  entryIn,
  isNewRow,
  type NewRow,
  type RowKey,
  sameEntry,
  withCell,
} from './edits.ts';
import type { StepCell } from './undo/steps.ts';

/** What was typed after an edit of the desk. */
export function newerThan(edits: Edits, sequence: number): Edits {
  const newer = (cells: Cells): Cells =>
    new Map([...cells].filter(([, edit]) => edit.sequence > sequence));
  const records = [...edits.records].flatMap(([jrid, cells]): [string, Cells][] => {
    const left = newer(cells);
    return left.size > 0 ? [[jrid, left]] : [];
  });
  const newRows = edits.newRows.flatMap((row) => {
    if (row.stored) return [row];
    const cells = newer(row.cells);
    // What belongs to nothing any more is a row of its own.
    return cells.size > 0 ? [{ ...row, cells, once: null, sent: null, is: 'typed' as const }] : [];
  });
  return { ...edits, records: new Map(records), newRows };
}

interface Adopted {
  readonly edits: Edits;
  /** the records that they touch */
  readonly jrids: readonly string[];
  /** how many entries came */
  readonly count: number;
  /** cells into which both have typed: what the other tab had there, as a step back to it */
  readonly overruled: readonly StepCell[];
  /** the keys that rows not created yet have here, by those they had there */
  readonly renamed: ReadonlyMap<RowKey, RowKey>;
}

/** Adds the edits that another tab left behind. Where both have typed into a cell, this tab's stays. */
export function adopted(edits: Edits, left: Edits): Adopted {
  let next = edits;
  let count = 0;
  const renewed = (edit: CellEdit): CellEdit => {
    next = { ...next, sequence: next.sequence + 1 };
    return { ...edit, sequence: next.sequence };
  };
  const jrids: string[] = [];
  const renamed = new Map<RowKey, RowKey>();
  const overruled: StepCell[] = [];
  for (const [jrid, cells] of left.records) {
    if (isNewRow(jrid)) continue;
    jrids.push(jrid);
    for (const [column, edit] of cells) {
      const here = cellsOf(next, jrid).get(column);
      if (here) {
        const [before, after] = [entryIn(edit, edit.base), entryIn(here, here.base)];
        if (!sameEntry(before, after)) overruled.push({ jrid, column, before, after });
        continue;
      }
      const own = renewed(edit);
      next = withCell(next, jrid, column, own);
      count++;
    }
  }
  for (const row of left.newRows) {
    // The list has those that were created.
    if (row.stored) continue;
    const cells: Cells = new Map([...row.cells].map(([column, edit]) => [column, renewed(edit)]));
    const sent = row.sent && { ...row.sent, sent: sentAs(row.sent.sent, row.cells, cells) };
    next = { ...next, sequence: next.sequence + 1 };
    // One that was being sent is sent again under its key, so that it is created once.
    const own: NewRow = { ...row, key: `new:${next.sequence}`, cells, sent: sent ?? null };
    next = { ...next, newRows: [...next.newRows, own] };
    renamed.set(row.key, own.key);
    count++;
  }
  return { edits: next, jrids, count, overruled, renamed };
}

/** The edits that were sent, as they are called now; one that was typed over since is none of the row any more. */
function sentAs(sent: Cells, before: Cells, now: Cells): Cells {
  return new Map(
    [...sent].map(([column, edit]) => {
      const isThere = before.get(column)?.sequence === edit.sequence;
      return [column, (isThere && now.get(column)) || { ...edit, sequence: 0 }];
    }),
  );
}
