import {
  type CellEdit,
  type Cells,
  cellsOf,
  type Edits,
  isNewRow,
  type NewRow,
  withCell,
} from './edits.ts';

/**
 * Adds the edits that another tab left behind. Where both have typed into a cell, this tab's stays.
 * @returns the edits, the records they touch, and how many entries came
 */
export function adopted(
  edits: Edits,
  left: Edits,
): { readonly edits: Edits; readonly jrids: readonly string[]; readonly count: number } {
  let next = edits;
  let count = 0;
  const renewed = (edit: CellEdit): CellEdit => {
    next = { ...next, sequence: next.sequence + 1 };
    return { ...edit, sequence: next.sequence };
  };
  const jrids: string[] = [];
  for (const [jrid, cells] of left.records) {
    if (isNewRow(jrid)) continue;
    jrids.push(jrid);
    for (const [column, edit] of cells) {
      if (cellsOf(next, jrid).has(column)) continue;
      const own = renewed(edit);
      next = withCell(next, jrid, column, own);
      count++;
    }
  }
  for (const row of left.newRows) {
    // The list has those that were created.
    if (row.stored) continue;
    const cells: Cells = new Map([...row.cells].map(([column, edit]) => [column, renewed(edit)]));
    next = { ...next, sequence: next.sequence + 1 };
    // One that was being sent is sent again under its key, so that it is created once.
    const own: NewRow = { ...row, key: `new:${next.sequence}`, cells };
    next = { ...next, newRows: [...next.newRows, own] };
    count++;
  }
  return { edits: next, jrids, count };
}
