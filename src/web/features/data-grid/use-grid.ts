import type { QueryClient } from '@tanstack/react-query';
import { isBoolean } from '#shared/values/registry.ts';
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/values.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { shownValue } from '#web/fields/value-text.ts';
import { useLatest } from '#web/ui/use-latest.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import type { EditStore } from './edit-store/edit-store.ts';
import {
  cellsOf,
  type Edits,
  type RowKey,
  textShown,
  valueShown,
  writeOver,
} from './edit-store/edits.ts';
import { fillWrites, textInRow } from './fill-writes.ts';
import { focusReducer, type GridFocus, INITIAL_FOCUS } from '#web/grid/grid-focus.ts';
import type { Editing, EditorMode } from './editing.ts';
import type { CellPosition, Extent } from '#web/grid/rects.ts';
import type { TableField } from './columns/table-fields.ts';
import { fillFromTyped } from './fill-from-typed.ts';
import type { TableRow, TableRows } from './rows/use-rows.ts';
import * as undoTexts from '#messages/table-undo.ts';

interface GridOptions {
  readonly client: QueryClient;
  readonly columns: readonly TableField[];
  /** all columns of the table, visible or not: a new row is checked for all */
  readonly allColumns: readonly Column[];
  readonly rows: TableRows;
  readonly editStore: EditStore;
  readonly canWrite: boolean;
}

/** The focus and the editing of the grid, and the connection from typing to the store. */
export function useGrid(options: GridOptions) {
  const { client, columns, allColumns, rows, editStore, canWrite } = options;
  const [focusState, dispatch] = useReducer(focusReducer, INITIAL_FOCUS);
  const [editing, setEditing] = useState<Editing | null>(null);
  const state = useMemo((): GridState => ({ ...focusState, editing }), [focusState, editing]);
  // Computed each time: the typed text may have created another row.
  const extent = (): Extent => ({
    rows: (rows.count ?? 0) + editStore.get().newRows.length - rows.edits.newRows.length,
    cols: columns.length,
  });
  /** Moves the focus to a cell, and ends the selection. */
  const focusOn = (position: CellPosition) => dispatch({ do: 'focus', position, extent: extent() });
  const row = rows.at(state.focus.row);
  const column = columns[state.focus.col - 1];
  const focusedKey = state.active ? row?.key : undefined;
  const latestFocusedKey = useLatest(focusedKey);

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
        void fillFromTyped({ ...typed, client, isOpen, focusedKey: latestFocusedKey });
      }
    }
    setEditing(null);
  };

  const beginEdit = (mode: EditorMode, text?: string) => {
    if (!canWrite || !row || !column || column.readOnly) return;
    open.current = editingOf(rows.edits, row, column, state.focus, mode, text);
    setEditing(open.current);
    dispatch({ do: 'active' });
  };

  /** Writes into the focused cell without opening its editor. */
  const put = (value: Scalar) => {
    if (!canWrite || !row || !column || column.readOnly) return;
    editStore.write([writeOver(rows.edits, row, column, { value })], undoTexts.typing);
  };

  /** Creates the row at once; if a cell is invalid, that cell is focused. */
  const saveRow = (saved: TableRow) => {
    if (saved.kind === 'record') return;
    void editStore.create([saved.key], allColumns);
    const { newRows } = editStore.get();
    const sent = newRows.find(({ key }) => key === saved.key);
    const isInvalid = (name: string) => sent?.cells.get(name)?.status.is === 'unread';
    const firstInvalid = columns.findIndex(({ name }) => isInvalid(name));
    const position =
      firstInvalid >= 0
        ? { row: state.focus.row, col: firstInvalid + 1 }
        : { row: state.focus.row + 1, col: 1 };
    focusOn(position);
  };

  useCreateLeftRows(editStore, allColumns, focusedKey);

  // If rows have disappeared, the last existing one takes the focus.
  const { count } = rows;
  const beyond = count !== null && count > 0 && state.focus.row >= count;
  useEffect(() => {
    if (beyond) dispatch({ do: 'follow', row: (count ?? 1) - 1 });
  }, [beyond, count]);

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

  return {
    state,
    dispatch,
    extent,
    focusOn,
    row,
    column,
    beginEdit,
    endEdit,
    put,
    saveRow,
    setText,
    textIn,
  };
}

/** An editor of a cell as it opens, with a text instead of the old one if one is given. */
function editingOf(
  edits: Edits,
  row: TableRow,
  column: Column,
  position: CellPosition,
  mode: EditorMode,
  text?: string,
): Editing {
  const edit = cellsOf(edits, row.key).get(column.name);
  const stored = row.stored?.dataset[column.name] ?? null;
  const initialValue = valueShown(edit, stored);
  const initial =
    isBoolean(column) && edit?.status.is !== 'unread'
      ? shownValue(column, initialValue)
      : textShown(column, edit, stored);
  return {
    position,
    key: row.key,
    listed: row.stored,
    initialValue,
    column: column.name,
    rules: column,
    mode,
    initial,
    text: text ?? initial,
  };
}

/** Creates new rows when they lose the focus, and those of a closed tab at once. */
function useCreateLeftRows(
  editStore: EditStore,
  columns: readonly Column[],
  focusedKey: RowKey | undefined,
): void {
  useEffect(() => {
    const create = () => {
      const left = editStore
        .get()
        .newRows.filter(({ key, stored, is }) => !stored && is !== 'refused' && key !== focusedKey);
      const keys = left.map(({ key }) => key);
      if (keys.length > 0) void editStore.create(keys, columns);
    };
    create();
    return editStore.resumed.subscribe(create);
  }, [focusedKey, editStore, columns]);
}

/** The focus, the selection, and the open editor. */
interface GridState extends GridFocus {
  readonly editing: Editing | null;
}

export type Grid = ReturnType<typeof useGrid>;
