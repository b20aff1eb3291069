import type { StepCell } from '../undo/steps.ts';
import { type CellEdit, type Cells, type Edits, entryIn, sameEntry } from './edits.ts';

interface Merged {
  readonly edits: Edits;
  /** what the abandoned edits have changed, as one step of undo; of a cell that both have edited, from the older to the newer edit */
  readonly cells: readonly StepCell[];
  /** cells of records and new rows that were added */
  readonly count: number;
}

/**
 * Adds the edits that a tab has left which is closed. Sequence numbers are higher the later they were given, in all tabs of a
 * browser, so that a cell which both have edited holds what was typed last.
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
      if (!sameEntry(before, after)) cells.push({ jrid, column, before, after });
    }
    records.set(jrid, both);
  }
  const keys = new Set(edits.newRows.map(({ key }) => key));
  // The list has those that were created.
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

/** What a cell holds with an edit; without one, what it held when `next` was made. */
const entryOf = (edit: CellEdit | undefined, next: CellEdit) => entryIn(edit, next.base);

const writtenInto = (jrid: string, cells: Cells): StepCell[] =>
  [...cells].map(([column, edit]) => ({
    jrid,
    column,
    before: { value: null },
    after: entryIn(edit, null),
  }));
