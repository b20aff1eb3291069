import type { StepCell } from './steps.ts';
import { type CellEdit, type Cells, type Edits, entryOfCell, isSameEntry } from './edits.ts';

interface Merged {
  readonly edits: Edits;
  /**
   * the changes by the abandoned edits, as one undo step; for a cell that both have edited, from the older to the newer
   * edit
   */
  readonly cells: readonly StepCell[];
  /** number of added cells of records and new rows */
  readonly count: number;
}

/**
 * Adds the edits of a closed tab. Later edits have higher sequence numbers, in all tabs of a browser, so a cell that
 * both have edited has the text that was typed last.
 */
export function mergeEdits(edits: Edits, abandoned: Edits): Merged {
  const cells: StepCell[] = [];
  const records = new Map(edits.records);
  for (const [jrid, left] of abandoned.records) {
    const both = new Map(records.get(jrid));
    for (const [column, edit] of left) {
      const own = both.get(column);
      const isNewer = own === undefined || own.sequence < edit.sequence;
      const [older, newer] = isNewer ? [own, edit] : [edit, own];
      const [before, after] = [entryOf(older, newer), entryOf(newer, newer)];
      both.set(column, newer);
      if (!isSameEntry(before, after)) cells.push({ jrid, column, before, after });
    }
    records.set(jrid, both);
  }
  const keys = new Set(edits.newRows.map(({ key }) => key));
  // The list contains those that were created.
  const added = abandoned.newRows.filter(({ key, stored }) => !stored && !keys.has(key));
  for (const row of added) cells.push(...writtenInto(row.key, row.cells));
  return {
    edits: {
      records,
      newRows: [...edits.newRows, ...added],
      sequence: Math.max(edits.sequence, abandoned.sequence),
    },
    cells,
    count: cells.filter(({ jrid }) => !added.some(({ key }) => key === jrid)).length + added.length,
  };
}

/** The content of a cell with an edit; without one, its content when `next` was made. */
const entryOf = (edit: CellEdit | undefined, next: CellEdit) => entryOfCell(edit, next.base);

const writtenInto = (jrid: string, cells: Cells): StepCell[] =>
  [...cells].map(([column, edit]) => ({
    jrid,
    column,
    before: { value: null },
    after: entryOfCell(edit, null),
  }));
