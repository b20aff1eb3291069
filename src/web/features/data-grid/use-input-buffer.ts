import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { CellPosition } from '#web/grid/rects.ts';
import { enterText } from '#web/ui/enter-text.ts';
import { notify } from '#web/ui/notify.ts';
import { pressKey } from '#web/ui/press-key.ts';
import { typesCharacter } from '#web/ui/shortcuts.ts';
import { useLatest } from '#web/ui/use-latest.ts';
import { type KeyAction, needsRecord } from './dataset-keys.ts';
import type { RowKey } from './edit-store/edits.ts';
import type { ClipboardForms } from './ranges/clipboard-forms.ts';
import type { Paste } from './paste/use-paste.ts';
import type { FocusedRecord } from './rows/use-keep-focus.ts';
import type { TableRows } from './rows/use-rows.ts';
import type { Grid } from './use-grid.ts';
import * as texts from '#messages/common.ts';

interface InputBufferOptions {
  readonly grid: Grid;
  readonly rows: TableRows;
  readonly focusedRecord: FocusedRecord;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly paste: Pick<Paste, 'isLoading' | 'isAsking' | 'onPaste'>;
}

interface Buffered {
  readonly chosen: CellPosition;
  /** the record for which it is meant; null: the one that is loaded at this position of the reading */
  readonly key: RowKey | null;
  readonly reading: number;
  readonly inputs: readonly (() => void)[];
}

/**
 * Buffers keys and pastes while the focused row is not loaded, or the row of the focused record in a new order is not
 * known, or a paste waits for its code, and then enters them in their order. They never reach another record or the
 * preview of the paste; a notice reports dropped keys and pastes.
 */
export function useInputBuffer(options: InputBufferOptions) {
  const { grid, rows, focusedRecord, scroller, paste } = options;
  const { state, row } = grid;
  const { number } = rows.reading;
  const buffered = useRef<Buffered | null>(null);
  const latestPaste = useLatest(paste.onPaste);
  const waits =
    state.focus.row >= 0 &&
    rows.error === null &&
    (paste.isLoading || !focusedRecord.isFound || row === undefined);

  const buffer = (input: () => void) => {
    const { chosen } = state;
    const first = { chosen, key: focusedRecord.key(), reading: number, inputs: [] };
    const before = buffered.current ?? first;
    buffered.current = { ...before, inputs: [...before.inputs, input] };
  };

  useEffect(() => {
    if (waits || !buffered.current) return;
    const { chosen, key, reading, inputs } = buffered.current;
    buffered.current = null;
    const isLoaded = key === null ? row && reading === number : row?.key === key;
    const hasFocus = scroller.current?.contains(document.activeElement);
    if (!isLoaded || !hasFocus || chosen !== state.chosen || paste.isAsking) {
      notify(texts.typeAgain);
      return;
    }
    // Each acts on what the previous one has rendered: a key may open the editor for the next ones.
    queueMicrotask(() => {
      for (const input of inputs) flushSync(input);
    });
  });

  return {
    /** @returns whether the key waits */
    bufferKey: (event: KeyboardEvent, action: KeyAction | null): boolean => {
      if (!waits) return false;
      const isBuffered = buffered.current
        ? action !== null || typesCharacter(event)
        : action !== null && needsRecord(action);
      // Tab leaves the grid, such as after Escape: the next keys must not go into the cell.
      if (isBuffered) buffer(() => pressKey(event.nativeEvent, (cell) => cell.blur()));
      return isBuffered;
    },
    /** @returns whether the paste waits */
    bufferPaste: (clipboard: ClipboardForms): boolean => {
      if (waits) buffer(() => void (enterText(clipboard.text) || latestPaste.current(clipboard)));
      return waits;
    },
  };
}

export type InputBuffer = ReturnType<typeof useInputBuffer>;
