import { useEffect, useEffectEvent, useRef } from 'react';
import { isNewRow, type RowKey } from '../edit-store/edits.ts';
import { readPosition } from './datasets.queries.ts';
import { INITIAL_FOCUS } from '#web/grid/grid-focus.ts';
import type { CellPosition } from '#web/grid/rects.ts';
import type { Grid } from '../use-grid.ts';
import type { TableRows } from './use-rows.ts';

interface KeepFocusOptions {
  readonly guid: string;
  readonly grid: Grid;
  readonly rows: TableRows;
  /** scrolls a row into view */
  readonly onShow: (row: number) => void;
}

/** Keeps the focus on its record when the list is sorted, filtered or reloaded. */
export function useKeepFocus({ guid, grid, rows, onShow }: KeepFocusOptions): void {
  const { state, row, dispatch } = grid;
  const { number } = rows.reading;
  const lastFocus = useRef<{ number: number; key: RowKey | null }>({ number, key: null });
  /** If the user has moved the focus since, it stays there. */
  const follow = useEffectEvent((from: CellPosition, position: number) => {
    if (state.focus !== from || state.editing) return;
    dispatch({ do: 'follow', row: position });
    onShow(position);
  });

  useEffect(() => {
    const { number: before, key } = lastFocus.current;
    if (before === number) {
      // While the focus moves over rows that are not loaded, it belongs to no record.
      const entered = state.focus !== INITIAL_FOCUS.focus;
      lastFocus.current = { number, key: entered && row?.kind === 'record' ? row.key : null };
      return;
    }
    lastFocus.current = { number, key: null };
    if (key === null || isNewRow(key) || state.focus.row < 0) return;
    const from = state.focus;
    const followRecord = async () => {
      const position = await readPosition(guid, rows.reading.view, key).catch(() => null);
      if (position !== null) follow(from, position);
    };
    void followRecord();
  }, [number, row, state, guid, rows.reading]);
}
