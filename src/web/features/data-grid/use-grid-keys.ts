import { isBoolean, valueType } from '#shared/values/registry.ts';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { localNow } from '#web/fields/local-offsets.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { notify } from '#web/ui/notify.ts';
import { meaningsIn } from './cells/cell-panel.tsx';
import type { EditStore } from './edit-store/edit-store.ts';
import { cellsOf, valueShown } from './edit-store/edits.ts';
import { positionAfter, selectedBlocks, tabLeaves } from '#web/grid/grid-focus.ts';
import { cellKey, isForHeaders, type KeyAction, rowHeaderKey } from './dataset-keys.ts';
import type { Rect } from '#web/grid/rects.ts';
import { type ClipboardForms, clipboardForms } from './paste/clipboard-forms.ts';
import type { BlockActions } from './ranges/use-block-actions.ts';
import type { Grid } from './use-grid.ts';
import type { HeldInput } from './use-held-input.ts';
import type { TableRows } from './rows/use-rows.ts';
import * as texts from '#messages/tables.ts';

interface GridKeysOptions {
  readonly grid: Grid;
  readonly rows: TableRows;
  readonly editStore: EditStore;
  /** keys and pastes that wait for the focused record */
  readonly held: HeldInput;
  readonly blockActions: BlockActions;
  readonly canWrite: boolean;
  /** rows that fit into the window */
  readonly pageRows: () => number;
  readonly hasSelectedRows: boolean;
  readonly onSelect: (index: number, how: 'toggle' | 'range') => void;
  /** deletes the selected records and completely selected rows */
  readonly onDeleteRows: (whole: readonly Rect[]) => void;
  readonly onGoToRow: () => void;
  readonly onProblem: (by: 1 | -1) => void;
  readonly onPaste: (clipboard: ClipboardForms) => void;
  readonly onUndoOrRedo: (way: 'undo' | 'redo') => void;
  readonly onOpenRecord: () => void;
}

/** The actions of keys and clipboard in the grid. */
export function useGridKeys(options: GridKeysOptions) {
  const {
    grid,
    rows,
    editStore,
    held,
    blockActions,
    canWrite,
    pageRows,
    hasSelectedRows,
    onSelect,
    onDeleteRows,
  } = options;
  const { state, dispatch, extent, row, column } = grid;
  const edit = row && column ? cellsOf(rows.edits, row.key).get(column.name) : undefined;
  const stored = (column && row?.stored?.dataset[column.name]) ?? null;

  const selectBlock = (what: 'column' | 'row' | 'all') => {
    const { rows, cols } = extent();
    const { anchor, head } = state;
    const whole = { row: rows - 1, col: cols };
    dispatch({
      do: 'block',
      anchor: { row: what === 'row' ? anchor.row : 0, col: what === 'column' ? anchor.col : 1 },
      head: {
        row: what === 'row' ? head.row : whole.row,
        col: what === 'column' ? head.col : whole.col,
      },
      extent: { rows, cols },
    });
  };

  /** The completely selected rows; on a row header its own row, if no records are selected. */
  const wholeRows = (): readonly Rect[] => {
    const { row: index, col } = state.focus;
    const { cols } = extent();
    if (col === 0 && !hasSelectedRows) {
      return [{ top: index, bottom: index, left: 1, right: cols }];
    }
    return selectedBlocks(state).filter(({ left, right }) => left === 1 && right === cols);
  };

  /** For dates today, for date-times the present moment, for times the time of day. */
  const putToday = ({ type }: Column) => {
    const now = valueType(type).now?.(localNow());
    if (now !== undefined) grid.put(now);
    else notify(texts.noDate);
  };

  const runAction = (action: KeyAction): void => {
    switch (action.do) {
      case 'step':
        dispatch({ do: 'step', step: action.step, extent: extent() });
        return;
      case 'jump':
        grid.focusOn(positionAfter(state.focus, action.to, extent(), pageRows()));
        return;
      case 'extend':
        dispatch({
          do: 'extend',
          to: positionAfter(state.head, action.by, extent(), pageRows()),
          extent: extent(),
        });
        return;
      case 'select':
        selectBlock(action.what);
        return;
      case 'edit':
        if (edit?.status.is === 'conflict' || (column && meaningsIn(column, edit).length > 0)) {
          document.querySelector<HTMLElement>('[data-cell-panel] button')?.focus();
        } else grid.beginEdit('changing');
        return;
      case 'type':
        grid.beginEdit('typing', action.text);
        return;
      case 'clear':
        blockActions.clear();
        return;
      case 'fill':
        blockActions.fill(action.to);
        return;
      case 'fill-selection': {
        const content = blockActions.focusedContent();
        if (blockActions.hasSeveralCells() && content) blockActions.fillSelection(content);
        else if (row) grid.saveRow(row);
        return;
      }
      case 'today':
        if (column) putToday(column);
        return;
      case 'go-to-row':
        options.onGoToRow();
        return;
      case 'open-record':
        options.onOpenRecord();
        return;
      case 'toggle':
        grid.put(valueShown(edit, stored) !== true);
        return;
      case 'problem':
        options.onProblem(action.by);
        return;
      case 'suggestion': {
        const button = document.querySelector<HTMLElement>(
          '[data-cell-findings] [data-suggestion]',
        );
        button?.click();
        return;
      }
      case 'undo':
      case 'redo':
        options.onUndoOrRedo(action.do);
        return;
      case 'cancel':
        dispatch({ do: 'leaving' });
        return;
      case 'choose-row':
        onSelect(state.focus.row, 'toggle');
        return;
      case 'delete-rows':
        if (row?.kind === 'new') editStore.discard([{ key: row.key, column: null }]);
        else onDeleteRows(wholeRows());
        return;
      default:
        action satisfies never;
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (state.editing || event.nativeEvent.isComposing) return;
    const { row: index, col } = state.focus;
    const toggles = canWrite && column !== null && column !== undefined && isBoolean(column);
    const action = col === 0 ? rowHeaderKey(event) : cellKey(event, toggles);
    if (held.holdKey(event, action)) {
      event.preventDefault();
      return;
    }
    if (event.key === 'Tab' && tabLeaves(state, event.shiftKey, extent())) return;
    if (col === 0 && event.shiftKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      const next = index + (event.key === 'ArrowUp' ? -1 : 1);
      grid.focusOn({ row: next, col });
      onSelect(next, 'range');
      return;
    }
    if (!action || (index < 0 && !isForHeaders(action))) return;
    event.preventDefault();
    runAction(action);
  };

  /** The keys that end an editor. */
  const endByKey = (action: KeyAction, text: string, fills: readonly Fill[] = []) => {
    const ended = state.editing;
    if (action.do === 'fill-selection' && blockActions.hasSeveralCells()) {
      // The focused cell is one of those filled: together they are one step.
      grid.endEdit(null);
      blockActions.fillSelection({ typed: text });
      return;
    }
    grid.endEdit(action.do === 'cancel' ? null : text, fills);
    if (action.do === 'step' || action.do === 'problem') runAction(action);
    if (action.do !== 'fill-selection' || !ended || !row) return;
    // The typed text may just have created the row.
    grid.saveRow({ ...row, key: ended.key });
  };

  const onCopy = (event: ClipboardEvent) => {
    if (state.editing || window.getSelection()?.toString()) return;
    if (blockActions.copy(event.clipboardData)) event.preventDefault();
  };

  const onPaste = (event: ClipboardEvent) => {
    if (state.editing || !column) return;
    const clipboard = clipboardForms(event.clipboardData);
    if (held.holdPaste(clipboard)) event.preventDefault();
    else if (row) {
      event.preventDefault();
      options.onPaste(clipboard);
    }
  };

  return { onKeyDown, onCopy, onPaste, endByKey };
}
