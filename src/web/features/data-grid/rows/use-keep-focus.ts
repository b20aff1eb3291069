import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isNewRow, type RowKey } from '../edit-store/edits.ts';
import { INITIAL_FOCUS } from '#web/grid/grid-focus.ts';
import type { CellPosition } from '#web/grid/rects.ts';
import type { Grid } from '../use-grid.ts';
import type { ListReading } from '../datasets.queries.ts';
import { findRow } from './find-row.ts';
import type { TableRows } from './use-rows.ts';

interface KeepFocusOptions {
  readonly guid: string;
  readonly grid: Grid;
  readonly rows: TableRows;
  /** scrolls a row into view */
  readonly onShow: (row: number) => void;
}

/** The record to which the focus belongs. */
export interface FocusedRecord {
  /** whether the focus is in its row; false while its row in a new reading is not known */
  readonly isFound: boolean;
  /** null: none, or it is not loaded */
  readonly key: () => RowKey | null;
}

/** A position that the user has chosen, and the record that was there. */
interface Focused {
  readonly chosen: CellPosition;
  readonly key: RowKey | null;
}

/** Keeps the focus on its record when the list is sorted, filtered or reloaded. */
export function useKeepFocus({ guid, grid, rows, onShow }: KeepFocusOptions): FocusedRecord {
  const { state, row, dispatch } = grid;
  const { number } = rows.reading;
  const [foundIn, setFoundIn] = useState(number);
  const isFound = foundIn === number;
  const focused = useRef<Focused>({ chosen: INITIAL_FOCUS.chosen, key: null });
  useEffect(() => {
    // Another record may have taken its place.
    if (!isFound && focused.current.chosen === state.chosen) return;
    const entered = state.chosen !== INITIAL_FOCUS.chosen;
    focused.current = { chosen: state.chosen, key: entered ? (row?.key ?? null) : null };
  }, [isFound, state.chosen, row]);

  const find = useEffectEvent(async (key: RowKey | null) =>
    key === null ? null : findRow(guid, rows, key),
  );
  const follow = useEffectEvent((reading: ListReading, from: Focused, to: number | null) => {
    if (reading !== rows.reading) return;
    setFoundIn(number);
    if (to === null || from.key === null || state.chosen !== from.chosen || state.editing) return;
    dispatch({ do: 'follow-found', row: to, chosen: from.chosen });
    // After a search from outside the grid, the first match must be visible, not the row for new records at the end.
    if (state.active || !isNewRow(from.key)) onShow(to);
  });
  const { reading } = rows;
  const isRead = rows.counted && !rows.outdated;
  useEffect(() => {
    if (isFound || !isRead) return;
    const from = focused.current;
    const findRecord = async () => {
      // Without an answer the focus stays where it is.
      const position = await find(from.key).catch(() => null);
      follow(reading, from, position);
    };
    void findRecord();
  }, [isFound, isRead, reading]);

  return { isFound, key: () => focused.current.key };
}
