import { type Cells, type Edits, type NewRow, type RowKey, withCell } from './edits.ts';

/**
 * Updates rows one by one, as if each were alone, and writes all of them back at once, so that a map of tens of
 * thousands of rows is copied once.
 */
export function updateRows(
  edits: Edits,
  keys: Iterable<RowKey>,
  work: (rowEdits: Edits, key: RowKey) => Edits,
): Edits {
  const records = new Map(edits.records);
  const newRows = [...edits.newRows];
  const indexes = new Map(newRows.map(({ key }, index) => [key, index]));
  let { sequence } = edits;
  let changed = false;
  for (const key of keys) {
    const index = indexes.get(key);
    const row = index === undefined ? undefined : newRows[index];
    const jrid = row?.stored?.dataset.jrid ?? key;
    const cells = records.get(jrid);
    const own: [RowKey, Cells][] = cells ? [[jrid, cells]] : [];
    const rowEdits: Edits = { records: new Map(own), newRows: row ? [row] : [], sequence };
    const next = work(rowEdits, key);
    if (next === rowEdits) continue;
    changed = true;
    sequence = next.sequence;
    const after = next.records.get(jrid);
    if (after) records.set(jrid, after);
    else records.delete(jrid);
    const [rowAfter] = next.newRows;
    if (!rowAfter) continue;
    if (index === undefined) indexes.set(key, newRows.push(rowAfter) - 1);
    else newRows[index] = rowAfter;
  }
  return changed ? { records, newRows, sequence } : edits;
}

/** Updates new rows that the server does not have yet, like `updateRows`. */
export function updateNewRows(
  edits: Edits,
  keys: Iterable<RowKey>,
  work: (rowEdits: Edits, row: NewRow) => Edits,
): Edits {
  return updateRows(edits, keys, (rowEdits) => {
    const [row] = rowEdits.newRows;
    return row && !row.stored ? work(rowEdits, row) : rowEdits;
  });
}

/** Discards the text typed into cells; an entry without a column is left out. */
export function withoutCells(
  edits: Edits,
  cells: readonly { readonly key: RowKey; readonly column: string | null }[],
): Edits {
  const rows = Map.groupBy(cells, ({ key }) => key);
  return updateRows(edits, rows.keys(), (rowEdits, key) => {
    let next = rowEdits;
    for (const { column } of rows.get(key) ?? []) {
      if (column !== null) next = withCell(next, key, column, null);
    }
    return next;
  });
}
