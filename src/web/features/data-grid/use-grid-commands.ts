import { type RefObject, useState } from 'react';
import type { ViewChange } from '#web/api/list-view.ts';
import { rowHeightFor } from '#web/grid/grid-attributes.ts';
import type { GridHandle } from '#web/grid/virtual-grid.tsx';
import { useDeleteConfirmation } from './deleted/use-delete-confirmation.ts';
import { fillWrites } from './fill-writes.ts';
import { useProblems } from './problems/use-problems.ts';
import { useOpenRecord } from './record/use-open-record.ts';
import { useKeepFocus } from './rows/use-keep-focus.ts';
import { useRevealCell } from './rows/use-reveal-cell.ts';
import { useTableUndo } from './undo/use-table-undo.ts';
import { useGridActions } from './use-grid-actions.ts';
import { useGridKeys } from './use-grid-keys.ts';
import type { GridModel } from './use-grid-model.ts';
import { useInputBuffer } from './use-input-buffer.ts';
import * as undoTexts from '#messages/table-undo.ts';

interface GridCommandsOptions {
  readonly model: GridModel;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly handle: RefObject<GridHandle | null>;
  readonly onViewChange: (change: ViewChange) => void;
  /** starts the service's revert of a bulk edit of the table. @throws {CallError} */
  readonly onRevertBulkEdit: (bulkEditId: string) => Promise<void>;
  /** how often the form was requested from outside the grid; each time it takes the focus */
  readonly formRequests: number;
}

/** The commands of the grid, by keys and by the buttons of its rows, and those that move to another row. */
export function useGridCommands(options: GridCommandsOptions) {
  const { model, scroller, handle, onViewChange, onRevertBulkEdit, formRequests } = options;
  const { table, view, grid, editStore, selection, paste, canDelete } = model;
  const onShow = (row: number) => handle.current?.scrollToMiddle(row);
  const focusedRecord = useKeepFocus({ ...model, onShow });
  const inputBuffer = useInputBuffer({ ...model, focusedRecord, scroller });
  const undo = useTableUndo({
    editStore,
    columns: table.columns,
    onRecords: (restored) => void selection.afterChange(restored),
    onShow: useRevealCell(model),
    revertBulkEdit: onRevertBulkEdit,
  });
  const opened = useOpenRecord({ ...model, onViewChange, scroller, formRequests, onShow });
  const problems = useProblems({ ...model, onViewChange });
  const deletion = useDeleteConfirmation(model);
  const [isGoToRowOpen, setGoToRowOpen] = useState(false);
  const keys = useGridKeys({
    ...model,
    inputBuffer,
    pageRows: () => {
      const height = scroller.current?.clientHeight ?? 0;
      return Math.max(1, Math.floor(height / rowHeightFor(view.lines ?? 1)) - 2);
    },
    hasSelectedRows: selection.ids.length > 0,
    onSelect: (index, how) => canDelete && selection.select(index, how),
    onDeleteRows: deletion.openForRows,
    onGoToRow: () => setGoToRowOpen(true),
    onProblem: problems.step,
    onPaste: paste.onPaste,
    onUndoOrRedo: undo.undoOrRedo,
    onOpenRecord: () => opened.open(),
  });
  const actions = useGridActions({
    grid,
    keys,
    editStore,
    onOpenRecord: opened.open,
    onSuggest: (key, fills) => {
      const listed = grid.row?.key === key ? grid.row.stored : null;
      const row = { editStore, columns: table.columns, key, listed };
      editStore.write(fillWrites(row, fills), undoTexts.suggestion);
    },
    scroller,
  });
  return {
    undo,
    opened,
    problems,
    deletion,
    keys,
    actions,
    goToRow: {
      isOpen: isGoToRowOpen,
      open: () => setGoToRowOpen(true),
      close: () => {
        setGoToRowOpen(false);
        actions.refocus();
      },
      /** @param row from 0 */
      go: (row: number) => {
        onShow(row);
        grid.focusOn({ row, col: Math.max(1, grid.state.focus.col) });
        setGoToRowOpen(false);
      },
    },
  };
}

export type GridCommands = ReturnType<typeof useGridCommands>;
