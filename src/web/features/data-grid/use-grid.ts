import { useEffect, useMemo, useReducer } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { EditStore } from './edit-store/edit-store.ts';
import { type RowKey, writeOver } from './edit-store/edits.ts';
import { focusReducer, type GridFocus, INITIAL_FOCUS } from '#web/grid/grid-focus.ts';
import type { Editing } from './editing.ts';
import type { CellPosition, Extent } from '#web/grid/rects.ts';
import type { TableField } from './columns/table-fields.ts';
import type { TableRow } from './rows/use-rows.ts';
import { type CellEditingOptions, useCellEditing } from './use-cell-editing.ts';
import * as undoTexts from '#messages/table-undo.ts';

interface GridOptions extends Omit<
  CellEditingOptions,
  'position' | 'row' | 'column' | 'focusedKey' | 'dispatch'
> {
  readonly columns: readonly TableField[];
}

/** The focus and the editing of the grid, and the connection from typing to the store. */
export function useGrid(options: GridOptions) {
  const { columns, allColumns, rows, editStore, canWrite } = options;
  const [focusState, dispatch] = useReducer(focusReducer, INITIAL_FOCUS);
  // Computed each time: the typed text may have created another row.
  const extent = (): Extent => ({
    rows: (rows.count ?? 0) + editStore.get().newRows.length - rows.edits.newRows.length,
    cols: columns.length,
  });
  /** Moves the focus to a cell, and ends the selection. */
  const focusOn = (position: CellPosition) => dispatch({ do: 'focus', position, extent: extent() });
  const { focus } = focusState;
  const row = rows.at(focus.row);
  const column = columns[focus.col - 1];
  const focusedKey = focusState.active ? row?.key : undefined;

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
        ? { row: focus.row, col: firstInvalid + 1 }
        : { row: focus.row + 1, col: 1 };
    focusOn(position);
  };

  useCreateRowsOnBlur(editStore, allColumns, focusedKey);

  // If rows have disappeared, the last existing one takes the focus.
  const { count } = rows;
  const beyond = count !== null && count > 0 && focus.row >= count;
  useEffect(() => {
    if (beyond) dispatch({ do: 'follow', row: (count ?? 1) - 1 });
  }, [beyond, count]);

  const { editing, ...editor } = useCellEditing({
    ...options,
    position: focus,
    row,
    column,
    focusedKey,
    dispatch,
  });
  const state = useMemo((): GridState => ({ ...focusState, editing }), [focusState, editing]);
  return {
    state,
    dispatch,
    extent,
    focusOn,
    row,
    column,
    ...editor,
    put,
    saveRow,
  };
}

/** Creates new rows when they lose the focus, and those of a closed tab at once. */
function useCreateRowsOnBlur(
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
