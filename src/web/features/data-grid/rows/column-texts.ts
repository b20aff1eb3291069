import { shownValue } from '#web/fields/value-text.ts';
import { cellsOf, valueShown } from '../edit-store/edits.ts';
import type { TableRows } from './use-rows.ts';
import { storedIn, type TableField } from '../columns/table-fields.ts';

/** The texts of a column in the loaded rows of a range. */
export function columnTexts(
  rows: Pick<TableRows, 'at' | 'edits'>,
  column: TableField,
  { from, to }: { readonly from: number; readonly to: number },
): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const row = rows.at(from + i);
    if (!row) return '';
    const edit = cellsOf(rows.edits, row.key).get(column.name);
    return shownValue(column, valueShown(edit, storedIn(row.stored, column)));
  });
}
