import type { Column } from '#shared/rules/definitions.ts';
import { shownValue } from '#web/fields/value-text.ts';
import { cellsOf, valueShown } from '../edit-store/edits.ts';
import type { Editing } from '../editing.ts';
import type { TableRows } from '../rows/use-rows.ts';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/tables.ts';

/** The new value under the open editor, if it has changed since the typing began; null: it is unchanged. */
export function changedWhileEditingText(
  editing: Editing | null,
  columns: readonly Column[],
  rows: Pick<TableRows, 'at' | 'edits'>,
): string | null {
  const column = columns.find(({ name }) => name === editing?.column);
  const row = editing && rows.at(editing.position.row);
  if (!column || !row || row.key !== editing.key) return null;
  const edit = cellsOf(rows.edits, row.key).get(column.name);
  const now = valueShown(edit, row.stored?.dataset[column.name] ?? null);
  if (now === editing.initialValue) return null;
  return texts.columnChangedTo({
    column: column.label,
    value: shownValue(column, now) || commonTexts.noValue,
  });
}
