import { useRef, useState } from 'react';
import { connection } from '#web/api/connection.ts';
import { useStore } from '#web/api/use-store.ts';
import { shownValue } from '#web/fields/value-text.ts';
import { cellCount, columnsOf, type Rect, rowsOf } from '#web/grid/rects.ts';
import { useDebouncedEffect } from '#web/ui/use-debounced-effect.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { cellsOf, countEdits, valueShown } from './edit-store/edits.ts';
import type { GridProblem } from './problems/use-problems.ts';
import type { GridModel } from './use-grid-model.ts';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/tables.ts';

/** Milliseconds without a change before an announcement, so that short-lived states are skipped. */
const ANNOUNCEMENT_DELAY = 600;

interface AnnouncerProps {
  readonly model: GridModel;
  readonly problems: readonly GridProblem[];
  /** changes saved since the grid was opened */
  readonly saved: number;
  /** whether others have added or deleted datasets since the list was loaded */
  readonly outdated: boolean;
}

/** Announces changes in the grid outside the focused cell to screen readers (ARIA live region). */
export function Announcer({ model, problems, saved, outdated }: AnnouncerProps) {
  const { blockActions, selection, rows } = model;
  const state = useStore(connection);
  const deleted = selection.ids.length > 0 ? 0 : selection.deleted.length;
  const phrases = [
    // A single cell is announced by the screen readers themselves.
    blockActions.hasSeveralCells() ? selectionText(blockActions.blocks()) : null,
    savingText(model, problems, saved, state === 'fine'),
    changedWhileEditingText(model),
    deleted > 0 ? texts.recordsDeleted(deleted) : null,
    outdated ? texts.othersChanged : null,
    rows.total === null ? null : texts.shown(rows.total),
  ];
  const now = phrases.map((phrase) => phrase ?? '').join('\n');
  const [announcement, setAnnouncement] = useState('');
  const announced = useRef(now);
  useDebouncedEffect(now, ANNOUNCEMENT_DELAY, () => {
    const before = announced.current.split('\n');
    announced.current = now;
    const changed = now.split('\n').filter((phrase, i) => phrase !== '' && phrase !== before[i]);
    if (changed.length > 0) setAnnouncement(changed.join(' '));
  });
  return (
    <VisuallyHidden as="div" role="status" aria-label={texts.status}>
      {announcement}
    </VisuallyHidden>
  );
}

/** `12 rows by 3 columns selected.` */
function selectionText(blocks: readonly Rect[]): string {
  const [block, another] = blocks;
  return !block || another
    ? texts.selectedBlocks({ cells: cellCount(blocks), blocks: blocks.length })
    : texts.selectedBlock({ rows: rowsOf(block), columns: columnsOf(block) });
}

function savingText(
  { rows, allColumns }: GridModel,
  problems: readonly GridProblem[],
  saved: number,
  isConnected: boolean,
): string | null {
  const { waiting } = countEdits(rows.edits);
  const last = problems.at(-1);
  if (last) {
    const of = { count: problems.length, message: last.message };
    const column = allColumns.find(({ name }) => name === last.column)?.label ?? last.column;
    return column === null ? texts.lastNotSaved(of) : texts.lastNotSavedIn({ ...of, column });
  }
  if (waiting > 0) return isConnected ? texts.savingNow(waiting) : texts.savedLater(waiting);
  return saved > 0 ? texts.allSaved(saved) : null;
}

/** The new stored value under the open editor, if it has changed since the typing began; null: it is unchanged. */
function changedWhileEditingText({ grid, columns, rows }: GridModel): string | null {
  const { editing } = grid.state;
  const column = columns.find(({ name }) => name === editing?.column);
  const row = editing && rows.at(editing.position.row);
  if (!column || !row || row.key !== editing.key) return null;
  const edit = cellsOf(rows.edits, row.key).get(column.name);
  const now = valueShown(edit, row.stored?.dataset[column.name] ?? null);
  if (now === editing.initialValue) return null;
  return texts.columnChangedTo({
    column: column.label,
    value: shownValue(column, now) || commonTexts.noValue,
  });
}
