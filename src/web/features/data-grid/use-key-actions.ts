import type { Column } from '#shared/rules/definitions.ts';
import { valueType } from '#shared/values/registry.ts';
import { localNow } from '#web/fields/local-offsets.ts';
import { type FocusAction, positionAfter, selectedBlocks } from '#web/grid/grid-focus.ts';
import type { Rect } from '#web/grid/rects.ts';
import { notify } from '#web/ui/notify.ts';
import type { UndoDirection } from '#web/undo/undo-steps.ts';
import { meaningsIn } from './cells/cell-panel.tsx';
import type { KeyAction } from './dataset-keys.ts';
import { cellsOf, valueShown } from './edit-store/edits.ts';
import type { Grid } from './use-grid.ts';
import type { GridModel } from './use-grid-model.ts';
import * as texts from '#messages/tables.ts';

export interface KeyActionsOptions extends Pick<
  GridModel,
  'grid' | 'rows' | 'editStore' | 'blockActions'
> {
  /** rows that fit into the window */
  readonly pageRows: () => number;
  readonly hasSelectedRows: boolean;
  readonly onSelect: (index: number, how: 'toggle' | 'range') => void;
  /** deletes the selected records and completely selected rows */
  readonly onDeleteRows: (whole: readonly Rect[]) => void;
  readonly onGoToRow: () => void;
  readonly onProblem: (by: 1 | -1) => void;
  readonly onUndoOrRedo: (direction: UndoDirection) => void;
  readonly onOpenRecord: () => void;
}

/** Performs the actions of keys in the grid. */
export function useKeyActions(options: KeyActionsOptions): (action: KeyAction) => void {
  const { grid, rows, editStore, blockActions, pageRows, hasSelectedRows } = options;
  const { state, dispatch, extent, row, column } = grid;
  const edit = row && column ? cellsOf(rows.edits, row.key).get(column.name) : undefined;
  const stored = (column && row?.stored?.dataset[column.name]) ?? null;

  return (action) => {
    switch (action.do) {
      case 'step':
        return dispatch({ do: 'step', step: action.step, extent: extent() });
      case 'jump':
        return grid.focusOn(positionAfter(state.focus, action.to, extent(), pageRows()));
      case 'extend': {
        const to = positionAfter(state.head, action.by, extent(), pageRows());
        return dispatch({ do: 'extend', to, extent: extent() });
      }
      case 'select':
        return dispatch(selectionOf(action.what, grid));
      case 'edit':
        if (edit?.status.is === 'conflict' || (column && meaningsIn(column, edit).length > 0)) {
          return document
            .querySelector<HTMLElement>('[data-cell-panel] :is([data-conflict-panel], button)')
            ?.focus();
        }
        return grid.beginEdit('changing');
      case 'type':
        return grid.beginEdit('typing', action.text);
      case 'clear':
        return blockActions.clear();
      case 'fill':
        return blockActions.fill(action.to);
      case 'fill-selection': {
        const content = blockActions.focusedContent();
        if (blockActions.hasSeveralCells() && content) blockActions.fillSelection(content);
        else if (row) grid.saveRow(row);
        return undefined;
      }
      case 'today':
        return column && putToday(column, grid);
      case 'go-to-row':
        return options.onGoToRow();
      case 'open-record':
        return options.onOpenRecord();
      case 'toggle':
        return grid.put(valueShown(edit, stored) !== true);
      case 'problem':
        return options.onProblem(action.by);
      case 'suggestion':
        return document
          .querySelector<HTMLElement>('[data-cell-findings] [data-suggestion]')
          ?.click();
      case 'undo':
      case 'redo':
        return options.onUndoOrRedo(action.do);
      case 'cancel':
        return dispatch({ do: 'leaving' });
      case 'choose-row':
        return options.onSelect(state.focus.row, 'toggle');
      case 'delete-rows':
        return row?.kind === 'new'
          ? editStore.discard([{ key: row.key, column: null }])
          : options.onDeleteRows(wholeRows(grid, hasSelectedRows));
      default:
        return action satisfies never;
    }
  };
}

/** Selects the columns or rows of the selected block completely, or all cells. */
function selectionOf(what: 'column' | 'row' | 'all', { state, extent }: Grid): FocusAction {
  const { anchor, head } = state;
  const { rows, cols } = extent();
  return {
    do: 'block',
    anchor: { row: what === 'row' ? anchor.row : 0, col: what === 'column' ? anchor.col : 1 },
    head: {
      row: what === 'row' ? head.row : rows - 1,
      col: what === 'column' ? head.col : cols,
    },
    extent: { rows, cols },
  };
}

/** The completely selected rows; on a row header its own row, if no records are selected. */
function wholeRows({ state, extent }: Grid, hasSelectedRows: boolean): readonly Rect[] {
  const { row, col } = state.focus;
  const { cols } = extent();
  if (col === 0 && !hasSelectedRows) return [{ top: row, bottom: row, left: 1, right: cols }];
  return selectedBlocks(state).filter(({ left, right }) => left === 1 && right === cols);
}

/** For dates today, for date-times the present moment, for times the time of day. */
function putToday({ type }: Column, grid: Grid): void {
  const now = valueType(type).now?.(localNow());
  if (now !== undefined) grid.put(now);
  else notify(texts.noDate);
}
