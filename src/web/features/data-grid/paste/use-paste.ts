import { useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { notify, notifyFailure } from '#web/ui/notify.ts';
import { useLatest } from '#web/ui/use-latest.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { cellValue, writeOver } from '../edit-store/edits.ts';
import type { BlockActions } from '../ranges/block-actions.ts';
import type { Grid } from '../use-grid.ts';
import type { TableField } from '../columns/table-fields.ts';
import type { TableRows } from '../rows/use-rows.ts';
import type { ClipboardForms } from '../ranges/clipboard-forms.ts';
import type { Clip, ClipCell } from './clip.ts';
import { type PlacedClip, placeClip } from './place-clip.ts';
import { pasteModule } from './lazy-paste-module.ts';
import { changesRow, type Plan } from './paste-plan.ts';
import { clipEntryOf, pastedText, MAX_SMALL_PASTE, writesOf } from './small-paste.ts';
import { usePastePreview } from './use-paste-preview.ts';
import { useLargePaste } from './use-large-paste.ts';
import * as undoTexts from '#messages/table-undo.ts';
import * as texts from '#messages/tables.ts';

interface PasteOptions {
  readonly guid: string;
  readonly username: string;
  /** the visible ones, in order */
  readonly columns: readonly TableField[];
  readonly allColumns: readonly Column[];
  readonly rows: TableRows;
  readonly grid: Grid;
  readonly editStore: EditStore;
  readonly blockActions: BlockActions;
  readonly canWrite: boolean;
  /** the service has planned a large paste: show its plan */
  readonly onPlanned: (bulkEditId: string) => void;
}

/** The service's maximum of rows per paste; larger ones must be imported. */
const MAX_ROWS = 200_000;

/** Pasting into the grid: a single cell at once, several after a preview, and large pastes by a plan of the service. */
export function usePaste(options: PasteOptions) {
  const { guid, username, columns, allColumns, rows, grid, editStore, blockActions, canWrite } =
    options;
  const [failedPastes, setFailedPastes] = useState(0);
  const previewing = usePastePreview({ guid, username, allColumns, rows, editStore });
  const { preview, currentValue } = previewing;
  const { onPlanned } = options;
  const large = useLargePaste({ guid, username, rows, editStore, onPlanned });

  const pasteCell = (cell: ClipCell) => {
    const { row, column } = grid;
    if (blockActions.hasSeveralCells()) {
      blockActions.writeToSelection(undoTexts.pasting, (into, initialValue) =>
        clipEntryOf(into, cell, initialValue),
      );
    } else if (row && column && !column.readOnly) {
      const edits = editStore.get();
      const entry = clipEntryOf(column, cell, cellValue(edits, row, column.name));
      if (entry) editStore.write([writeOver(edits, row, column, entry)], undoTexts.pasting);
    }
  };

  const writePlan = async (plan: Plan): Promise<void> => {
    const { sequence } = editStore.get();
    const { writes, created } = writesOf(
      plan,
      currentValue,
      (before) => `new:${sequence + 1 + before}`,
    );
    editStore.write(writes, undoTexts.pasting);
    if (created.length === 0) return;
    await editStore.create(created, allColumns);
    const keys = new Set(created);
    const unsaved = editStore.get().newRows.filter(({ key, stored }) => keys.has(key) && !stored);
    notify(pastedText(plan.rows.filter(changesRow).length, unsaved.length));
    if (unsaved.length > 0) setFailedPastes((count) => count + 1);
  };

  const paste = (clip: Clip | null): void => {
    if (!clip) return;
    if (!canWrite) {
      notify(texts.mayNotWrite);
      return;
    }
    const [block, another] = blockActions.blocks();
    const [first] = clip;
    if (clip.length === 1 && first?.length === 1 && first[0]) pasteCell(first[0]);
    else if (another) notify(texts.oneBlockToPaste);
    else if (clip.length > MAX_ROWS) notify(texts.tooManyRowsPasted(MAX_ROWS));
    else if (block) {
      const whole = placeClip(clip, block, columns.length, MAX_ROWS);
      const { placed, into } = writableOf(whole, columns);
      if (into.length === 0) notify(texts.mayNotWrite);
      else if (placed.cells.length > MAX_SMALL_PASTE) large.begin(placed, into);
      else previewing.show(placed, into);
    }
  };

  const targetKey = () => JSON.stringify([blockActions.blocks(), grid.row?.key, grid.column?.name]);
  const { isLoading, onPaste } = useClipboardReader(paste, targetKey);

  return {
    preview,
    large,
    /** whether a paste waits for its code */
    isLoading,
    /** whether a dialog asks or informs before the paste */
    isAsking: preview !== null || large.shown !== null,
    /** increases when a paste has left rows in the grid that could not be created */
    failedPastes,
    onPaste,
    answer: previewing.answer,
    retry: previewing.retry,
    close: previewing.close,
    /** Executes the preview. */
    apply: () => {
      const plan = preview?.plan;
      if (!preview || !plan) return;
      const { top, left, bottom, right } = preview.target;
      void writePlan(plan);
      grid.dispatch({
        do: 'block',
        anchor: { row: top, col: left },
        head: { row: bottom, col: right },
        extent: grid.extent(),
      });
      previewing.close();
    },
  };
}

export type Paste = ReturnType<typeof usePaste>;

/**
 * Reads the clipboard for a paste, with code that may have to be loaded first.
 * @param targetKey identifies the target of the paste, which must not change meanwhile
 */
function useClipboardReader(paste: (clip: Clip | null) => void, targetKey: () => string) {
  const [isLoading, setLoading] = useState(false);
  const latest = useLatest({ paste, targetKey });
  const pasteAfterLoading = async (forms: ClipboardForms): Promise<void> => {
    const before = targetKey();
    setLoading(true);
    try {
      const { readClipboard } = await pasteModule.load();
      if (latest.current.targetKey() === before) latest.current.paste(readClipboard(forms));
      else notify(texts.pasteAgain);
    } catch (error) {
      notifyFailure(texts.notPasted(summary(toFailure(error))));
    } finally {
      setLoading(false);
    }
  };
  return {
    isLoading,
    onPaste: (forms: ClipboardForms): void => {
      const parts = pasteModule.loaded();
      if (parts) paste(parts.readClipboard(forms));
      else void pasteAfterLoading(forms);
    },
  };
}

/** The columns of a paste whose values can be changed, with their cells. */
function writableOf(placed: PlacedClip, columns: readonly TableField[]) {
  const { left, right } = placed.target;
  const all = columns.slice(left - 1, right);
  const into = all.filter(({ readOnly }) => !readOnly);
  if (into.length === all.length) return { placed, into };
  const cells = placed.cells.map((row) => row.filter((_, at) => !all[at]?.readOnly));
  return { placed: { ...placed, cells }, into };
}
