import type { QueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isBoolean } from '#shared/values/registry.ts';
import type { Column } from '#shared/rules/definitions.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { shownValue } from '#web/fields/value-text.ts';
import type { FocusAction } from '#web/grid/grid-focus.ts';
import type { CellPosition } from '#web/grid/rects.ts';
import { useLatest } from '#web/ui/use-latest.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import type { TableField } from './columns/table-fields.ts';
import type { EditStore } from './edit-store/edit-store.ts';
import { cellsOf, type Edits, type RowKey, textShown, valueShown } from './edit-store/edits.ts';
import type { Editing, EditorMode } from './editing.ts';
import { autofillTyped } from './lazy-look-up-autofill.ts';
import { fillWrites, textInRow } from './fill-writes.ts';
import type { TableRow, TableRows } from './rows/use-rows.ts';
import * as undoTexts from '#messages/table-undo.ts';

export interface CellEditingOptions {
  readonly client: QueryClient;
  /** all columns of the table, visible or not: a new row is checked for all */
  readonly allColumns: readonly Column[];
  readonly rows: TableRows;
  readonly editStore: EditStore;
  readonly canWrite: boolean;
  /** the focused cell */
  readonly position: CellPosition;
  readonly row: ReturnType<TableRows['at']>;
  readonly column: TableField | undefined;
  /** the row with the focus, unless it is outside the grid */
  readonly focusedKey: RowKey | undefined;
  readonly dispatch: (action: FocusAction) => void;
}

/** The editor that is open in a cell of the grid; what is typed into it is written into the store when it ends. */
export function useCellEditing(options: CellEditingOptions) {
  const { client, allColumns, rows, editStore, canWrite, position, row, column } = options;
  const [editing, setEditing] = useState<Editing | null>(null);
  const latestFocusedKey = useLatest(options.focusedKey);

  // Ends only once: ending by a key also makes the editor lose the focus.
  const open = useRef<Editing | null>(null);
  /** @param fills of the dataset that was chosen from a list; undefined: the value was typed */
  const endEdit = (text: string | null, fills?: readonly Fill[]) => {
    const editing = open.current;
    open.current = null;
    if (!editing) return;
    // The text for a column that the table no longer has is listed with what cannot be saved.
    const edited = allColumns.find(({ name }) => name === editing.column) ?? editing.rules;
    if (text !== null && text !== editing.initial) {
      const now = rows.at(editing.position.row);
      const listed = now?.key === editing.key ? now.stored : editing.listed;
      const { key, initialValue } = editing;
      const context = { editStore, columns: allColumns, key, listed };
      const step = editStore.write(
        [
          { key, column: edited, typed: text, initialValue, listed },
          ...fillWrites(context, fills ?? []),
        ],
        undoTexts.typing,
      );
      if (step && !fills && edited.optionsFrom) {
        const written = editStore.get();
        const typed = { ...context, column: edited, step, written };
        const isOpen = (name: string) => open.current?.key === key && open.current.column === name;
        void autofillTyped({ ...typed, client, isOpen, focusedKey: latestFocusedKey });
      }
    }
    setEditing(null);
  };

  const beginEdit = (mode: EditorMode, text?: string) => {
    if (!canWrite || !row || !column || column.readOnly) return;
    const opened = editingOf(rows.edits, row, column);
    open.current = { ...opened, position, mode, text: text ?? opened.initial };
    setEditing(open.current);
    options.dispatch({ do: 'active' });
  };

  // Rows have other positions in a new reading: the text being typed is stored first.
  useOnChange(rows.reading.number, () => endEdit(open.current?.text ?? null));
  const isColumnGone = editing !== null && !allColumns.some(({ name }) => name === editing.column);
  useOnChange(isColumnGone, () => {
    if (isColumnGone) endEdit(open.current?.text ?? null);
  });

  const textIn = (name: string) => {
    if (!open.current) return null;
    const { key, listed } = open.current;
    return textInRow({ editStore, columns: allColumns, key, listed }, name);
  };

  const setText = (typed: string) => {
    if (!open.current) return;
    open.current = { ...open.current, text: typed };
    setEditing(open.current);
  };

  return { editing, beginEdit, endEdit, setText, textIn };
}

/** The content of a cell for its editor. */
function editingOf(edits: Edits, row: TableRow, column: Column) {
  const edit = cellsOf(edits, row.key).get(column.name);
  const stored = row.stored?.dataset[column.name] ?? null;
  const initialValue = valueShown(edit, stored);
  const initial =
    isBoolean(column) && edit?.status.is !== 'unread'
      ? shownValue(column, initialValue)
      : textShown(column, edit, stored);
  return {
    key: row.key,
    listed: row.stored,
    initialValue,
    column: column.name,
    rules: column,
    initial,
  };
}
