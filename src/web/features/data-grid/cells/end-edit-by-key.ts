import type { KeyboardEvent } from 'react';
import type { Combobox } from '#web/ui/combobox/use-combobox.ts';
import { editorKey, type KeyAction } from '../dataset-keys.ts';
import type { EditorMode } from '../editing.ts';

/** Ends the editing of a cell, if a key does that. */
export function endEditByKey(
  event: KeyboardEvent,
  mode: EditorMode,
  onEnd: (action: KeyAction) => void,
): void {
  // Key events belong to the editor, not to the grid around it.
  event.stopPropagation();
  if (event.nativeEvent.isComposing) return;
  const action = editorKey(event, mode);
  if (!action) return;
  event.preventDefault();
  onEnd(action);
}

interface ListOfEditor extends Pick<Combobox<unknown>, 'isOpen' | 'step'> {
  /** whether ↑ moves in the list, as ↓ does */
  readonly movesUp: boolean;
}

/** Moves in the open list of a cell's editor, or ends the editing. */
export function moveOrEndEditByKey(
  event: KeyboardEvent,
  mode: EditorMode,
  { isOpen, step, movesUp }: ListOfEditor,
  onEnd: (action: KeyAction) => void,
): void {
  const isDown = event.key === 'ArrowDown';
  const isMove = isDown || (event.key === 'ArrowUp' && movesUp);
  if (event.nativeEvent.isComposing || !isOpen || !isMove) return endEditByKey(event, mode, onEnd);
  event.stopPropagation();
  event.preventDefault();
  step(isDown ? 1 : -1);
}
