import {
  type CellEdit,
  type Cells,
  type Edits,
  entryIn,
  isNewRow,
  type NewRow,
  type RowKey,
  sameEntry,
} from './edits.ts';
import type { StepCell } from '../undo/steps.ts';

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

/** The key of a new row that a paste has left behind. */
const OF_PASTE = /^new:paste-/;

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
export function mergeAbandonedEdits(edits: Edits, left: Edits): Adopted {
  let { sequence } = edits;
  let count = 0;
  const renewed = (edit: CellEdit): CellEdit => {
    sequence++;
    return { ...edit, sequence };
  };
  const jrids: string[] = [];
  const renamed = new Map<RowKey, RowKey>();
  const overruled: StepCell[] = [];
  const records = new Map(edits.records);
  for (const [jrid, cells] of left.records) {
    if (isNewRow(jrid)) continue;
    jrids.push(jrid);
    const both = new Map(records.get(jrid));
    for (const [column, edit] of cells) {
      const here = both.get(column);
      if (here) {
        const [before, after] = [entryIn(edit, edit.base), entryIn(here, here.base)];
        if (!sameEntry(before, after)) overruled.push({ jrid, column, before, after });
        continue;
      }
      both.set(column, renewed(edit));
      count++;
    }
    records.set(jrid, both);
  }
  const newRows = [...edits.newRows];
  for (const row of left.newRows) {
    // The list has those that were created.
    if (row.stored) continue;
    const cells: Cells = new Map([...row.cells].map(([column, edit]) => [column, renewed(edit)]));
    const sent = row.sent && { ...row.sent, sent: sentAs(row.sent.sent, row.cells, cells) };
    sequence++;
    // A key that nothing else can have stays: the journal of a paste knows its rows by it.
    const key = OF_PASTE.test(row.key) ? row.key : `new:${sequence}`;
    // One that was being sent is sent again under its key, so that it is created once.
    const own: NewRow = { ...row, key, cells, sent: sent ?? null };
    newRows.push(own);
    renamed.set(row.key, own.key);
    count++;
  }
  return { edits: { records, newRows, sequence }, jrids, count, overruled, renamed };
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
