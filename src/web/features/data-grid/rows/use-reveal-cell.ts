import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { notify } from '#web/ui/notify.ts';
import { isNewRow } from '../edit-store/edits.ts';
import type { RevertedCell } from '../undo/revert-step.ts';
import type { Grid } from '../use-grid.ts';
import type { TableRows } from './use-rows.ts';
import { findRow } from './find-row.ts';
import * as texts from '#messages/tables.ts';

interface RevealCellOptions {
  readonly guid: string;
  readonly columns: readonly Column[];
  readonly grid: Grid;
  readonly rows: TableRows;
}

/** Moves the focus to the cell that was just changed from elsewhere, once the list shows it. */
export function useRevealCell({ guid, columns, grid, rows }: RevealCellOptions) {
  const [pendingCell, setPendingCell] = useState<RevertedCell | null>(null);
  const handled = useRef<RevertedCell | null>(null);
  const reveal = useEffectEvent(async ({ jrid, column }: RevertedCell) => {
    const row = await findRow(guid, rows, jrid);
    if (row === null) {
      // A row that was never created has disappeared with its text.
      if (isNewRow(jrid)) return;
      notify(texts.hiddenByFilter);
      return;
    }
    const at = columns.findIndex(({ name }) => name === column) + 1;
    const col = at > 0 ? at : grid.state.focus.col;
    grid.focusOn({ row, col });
  });
  // A reloaded list must be complete first: the previous rows were at other positions.
  const ready = rows.counted && !rows.outdated;
  useEffect(() => {
    if (!pendingCell || !ready || handled.current === pendingCell) return;
    handled.current = pendingCell;
    // Without an answer the focus stays where it is.
    reveal(pendingCell).catch(() => undefined);
  }, [pendingCell, ready]);

  return (cells: readonly RevertedCell[]) => {
    const { row, column } = grid;
    const here = cells.find((one) => one.jrid === row?.key && one.column === column?.name);
    const [first] = cells;
    if (first) setPendingCell({ ...(here ?? first) });
  };
}
