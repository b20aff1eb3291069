import type { ClipboardEvent, KeyboardEvent } from 'react';
import { shownValue } from '#web/ui/value-text.ts';
import type { Column } from '#shared/definitions.ts';
import type { Desk } from './desk.ts';
import { cellsOf, textShown, valueShown } from './edits.ts';
import { type Place, tabLeaves } from './grid-state.ts';
import { cellKey, type Jump, type KeyAction, rowHeaderKey } from './keys.ts';
import type { Grid } from './use-grid.ts';
import type { Rows } from './use-rows.ts';

interface GridKeysOptions {
  readonly grid: Grid;
  readonly rows: Rows;
  readonly desk: Desk;
  readonly canWrite: boolean;
  /** rows that fit into the window */
  readonly pageRows: () => number;
  readonly onSort: (column: Column, adding: boolean) => void;
  readonly onSelect: (index: number, how: 'toggle' | 'range') => void;
  readonly onDeleteRows: () => void;
}

/** What keys and clipboard do in the grid. */
export function useGridKeys(options: GridKeysOptions) {
  const { grid, rows, desk, canWrite, pageRows, onSort, onSelect, onDeleteRows } = options;
  const { state, dispatch, extent, row, column } = grid;
  const edit = row && column ? cellsOf(rows.edits, row.key).get(column.name) : undefined;
  const stored = (column && row?.stored?.dataset[column.name]) ?? null;

  const jump = (to: Jump): Place => {
    const { row, col } = state.focus;
    switch (to) {
      case 'row-start':
        return { row, col: 1 };
      case 'row-end':
        return { row, col: extent().cols };
      case 'page-up':
        return { row: Math.max(0, row - pageRows()), col };
      case 'page-down':
        return { row: row + pageRows(), col };
      case 'top':
        return { row: 0, col };
      case 'bottom':
        return { row: extent().rows - 1, col };
      case 'first':
        return { row: 0, col: 1 };
      case 'last':
        return { row: extent().rows - 1, col: extent().cols };
      default:
        return to satisfies never;
    }
  };

  const act = (action: KeyAction): void => {
    switch (action.do) {
      case 'step':
        dispatch({ do: 'step', step: action.step, extent: extent() });
        return;
      case 'jump':
        dispatch({ do: 'focus', place: jump(action.to), extent: extent() });
        return;
      case 'edit':
        if (edit?.status.is === 'conflict') {
          document.querySelector<HTMLElement>('[data-cell-panel] button')?.focus();
        } else grid.beginEdit('changing');
        return;
      case 'type':
        grid.beginEdit('typing', action.text);
        return;
      case 'clear':
        grid.put(null);
        return;
      case 'toggle':
        grid.put(valueShown(edit, stored) === true ? 'no' : 'yes');
        return;
      case 'restore':
        if (row && column) desk.restore(row.key, column.name);
        return;
      case 'cancel':
        dispatch({ do: 'leaving' });
        return;
      case 'save-row':
        if (row) grid.saveRow(row);
        return;
      case 'select-row':
        onSelect(state.focus.row, 'toggle');
        return;
      case 'delete-rows':
        if (row?.kind === 'new') desk.discard(row.key);
        else onDeleteRows();
        return;
      default:
        action satisfies never;
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (state.editing || event.nativeEvent.isComposing) return;
    if (event.key === 'Tab' && tabLeaves(state, event.shiftKey, extent())) return;
    const { row: index, col } = state.focus;
    if (index < 0 && event.key === 'Enter' && column) {
      event.preventDefault();
      onSort(column, event.shiftKey);
      return;
    }
    if (col === 0 && event.shiftKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      const next = index + (event.key === 'ArrowUp' ? -1 : 1);
      dispatch({ do: 'focus', place: { row: next, col }, extent: extent() });
      onSelect(next, 'range');
      return;
    }
    const toggles = canWrite && column?.type === 'boolean';
    const action = col === 0 ? rowHeaderKey(event) : cellKey(event, toggles);
    if (!action || (index < 0 && !['step', 'jump', 'cancel'].includes(action.do))) return;
    event.preventDefault();
    act(action);
  };

  /** The keys that end an editor. */
  const endByKey = (action: KeyAction, text: string) => {
    const ended = state.editing;
    grid.endEdit(action.do === 'cancel' ? null : text);
    if (action.do === 'step') act(action);
    // The row may just have come to be by what was typed.
    if (action.do === 'save-row' && ended && row) grid.saveRow({ ...row, key: ended.key });
  };

  const onCopy = (event: ClipboardEvent) => {
    if (state.editing || !row || !column || window.getSelection()?.toString()) return;
    event.preventDefault();
    const text =
      column.type === 'boolean'
        ? shownValue(column, valueShown(edit, stored))
        : textShown(column, edit, stored);
    event.clipboardData.setData('text/plain', text);
  };

  const onPaste = (event: ClipboardEvent) => {
    if (state.editing || !row || !column) return;
    event.preventDefault();
    // Spreadsheets end what they copy, be it a single cell, with a line break.
    const text = event.clipboardData.getData('text/plain').replace(/\r?\n$/, '');
    grid.put(text);
  };

  return { onKeyDown, onCopy, onPaste, endByKey };
}
