import type { ClipboardEvent, KeyboardEvent } from 'react';
import { isBoolean } from '#shared/values/registry.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { isTabLeavingGrid } from '#web/grid/grid-focus.ts';
import { cellKey, isForHeaders, type KeyAction, rowHeaderKey } from './dataset-keys.ts';
import { type ClipboardForms, clipboardForms } from './ranges/clipboard-forms.ts';
import type { InputBuffer } from './use-input-buffer.ts';
import { type KeyActionsOptions, useKeyActions } from './use-key-actions.ts';

interface GridKeysOptions extends KeyActionsOptions {
  /** keys and pastes that wait for the focused record */
  readonly inputBuffer: InputBuffer;
  readonly canWrite: boolean;
  readonly onPaste: (clipboard: ClipboardForms) => void;
}

/** The handlers of keys and of the clipboard in the grid. */
export function useGridKeys(options: GridKeysOptions) {
  const { grid, inputBuffer, blockActions, canWrite, onSelect } = options;
  const { state, extent, row, column } = grid;
  const runAction = useKeyActions(options);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (state.editing || event.nativeEvent.isComposing) return;
    const { row: index, col } = state.focus;
    const toggles = canWrite && column !== undefined && isBoolean(column);
    const action = col === 0 ? rowHeaderKey(event) : cellKey(event, toggles);
    if (inputBuffer.bufferKey(event, action)) {
      event.preventDefault();
      return;
    }
    if (event.key === 'Tab' && isTabLeavingGrid(state, event.shiftKey, extent())) return;
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
  const endEditByKey = (action: KeyAction, text: string, fills?: readonly Fill[]) => {
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
    if (inputBuffer.bufferPaste(clipboard)) event.preventDefault();
    else if (row) {
      event.preventDefault();
      options.onPaste(clipboard);
    }
  };

  return { onKeyDown, onCopy, onPaste, endEditByKey };
}
