import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { summary, toFailure } from '#web/api/failure.ts';
import type { ListView, ViewChange } from '#web/api/list-view.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { readPosition } from '../datasets.queries.ts';
import type { ServerRecord } from '../edit-store/edits.ts';
import type { Grid } from '../use-grid.ts';
import type { TableRows } from '../rows/use-rows.ts';
import { refetchRecords } from '../record.queries.ts';
import { requestFocus } from '#web/ui/focus-request.ts';
import { notifyFailure } from '#web/ui/notify.ts';
import { useDebouncedEffect } from '#web/ui/use-debounced-effect.ts';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/tables.ts';

interface OpenRecordOptions {
  readonly guid: string;
  readonly view: ListView;
  readonly onViewChange: (change: ViewChange) => void;
  readonly grid: Grid;
  readonly rows: TableRows;
  readonly scroller: RefObject<HTMLElement | null>;
  /** how often the form was requested from outside the grid */
  readonly formRequests: number;
  /** scrolls a row into view */
  readonly onShow: (row: number) => void;
}

/** The record whose form is shown next to the grid. */
export interface PanelRecord {
  readonly jrid: string | null;
  /** its position in the list, from 0; null: not in it, or unknown */
  readonly index: number | null;
  /** how many records the list has */
  readonly count: number | null;
  /** as listed, if it is loaded */
  readonly listed: ServerRecord | null;
  /** how often the form was requested */
  readonly requests: number;
  /** opens a record; by default that of the focused row */
  readonly open: (jrid?: string) => void;
  readonly close: () => void;
  /** returns the focus to the grid */
  readonly back: () => void;
  /** moves along the list */
  readonly move: (by: 1 | -1) => void;
}

/** How long a row must have the focus before it is opened, in milliseconds. */
const FOLLOW_DELAY = 150;

/** The open record: the address names it. It follows the focus of the grid, and the focus follows it. */
export function useOpenRecord(options: OpenRecordOptions): PanelRecord {
  const { guid, view, onViewChange, grid, rows, scroller, formRequests } = options;
  const client = useQueryClient();
  const jrid = view.selected ?? null;
  const [ownRequests, setOwnRequests] = useState(0);
  const { state, row } = grid;
  const index = useIndex(options, jrid);

  const select = (next: string) => {
    if (next !== jrid) onViewChange({ ...view, selected: next });
  };
  const back = () => {
    grid.focusOn(state.focus);
    // A cell that already is the grid's active cell takes the focus only when it is focused explicitly.
    scroller.current?.querySelector<HTMLElement>('[data-col][tabindex="0"]')?.focus();
  };

  useFormFollowsFocus(options, { jrid, index, select });
  useRowFollowsForm(options, { jrid, index });
  // The form is reloaded together with the list.
  useOnChange(rows.reading.number, () => void refetchRecords(client, guid));

  return {
    jrid,
    index,
    count: rows.total,
    listed: index === null ? null : storedOf(rows, index, jrid),
    requests: ownRequests + formRequests,
    open: (chosen) => {
      const next = chosen ?? (row?.kind === 'record' ? row.key : null);
      if (next === null) return;
      requestFocus();
      setOwnRequests((times) => times + 1);
      select(next);
    },
    close: () => {
      const { selected: _closed, ...others } = view;
      onViewChange(others);
      back();
    },
    back,
    move: (by) => {
      const to = (index ?? state.focus.row) + by;
      if (to < 0) return;
      const moveTo = async () => {
        const [next] = await rows.readBetween(to, to);
        if (next?.kind !== 'record') return;
        // The row may have been read late: the form may be closed by then, and the list another one.
        onViewChange((before) =>
          before.selected === jrid ? { ...before, selected: next.key } : before,
        );
      };
      const tryToMove = () => {
        requestFocus();
        moveTo().catch((error: unknown) => {
          const reason = summary(toFailure(error));
          notifyFailure(texts.rowNotRead({ row: to + 1, reason }), {
            label: commonTexts.tryAgain,
            onPress: tryToMove,
          });
        });
      };
      tryToMove();
    },
  };
}

/** The position of a record in the list. */
function useIndex({ guid, grid, rows }: OpenRecordOptions, jrid: string | null): number | null {
  const isFocused = grid.row?.key === jrid;
  const known = jrid === null ? null : isFocused ? grid.state.focus.row : rows.indexOf(jrid);
  const read = useQuery({
    queryKey: [...tableKeys.one(guid), 'position', rows.reading.number, jrid],
    queryFn: () => (jrid === null ? null : readPosition(guid, rows.reading.view, jrid)),
    enabled: jrid !== null && known === null && rows.count !== null,
    retry: false,
  });
  return known ?? read.data ?? null;
}

type OpenPosition = Pick<PanelRecord, 'jrid' | 'index'>;

/**
 * The form follows the focus of the grid. After the open record was deleted and the list is reloaded, the next one is
 * in its row: the focus has not moved then.
 */
function useFormFollowsFocus(
  { grid: { state, row }, rows, scroller }: OpenRecordOptions,
  { jrid, index, select }: OpenPosition & { readonly select: (jrid: string) => void },
): void {
  const focusedRecord = state.active && row?.kind === 'record' ? row.key : null;
  const lastPosition = useRef({ jrid, row: -1, reading: -1 });
  useEffect(() => {
    // While a list is reloaded, the previous rows are shown.
    if (index === null || rows.outdated) return;
    lastPosition.current = { jrid, row: index, reading: rows.reading.number };
  }, [jrid, index, rows.outdated, rows.reading.number]);
  useDebouncedEffect(focusedRecord, FOLLOW_DELAY, (next) => {
    // On a busy page the form may have taken the focus before this page is rendered without it.
    if (next === null || !scroller.current?.contains(document.activeElement)) return;
    const last = lastPosition.current;
    const isOtherReading = last.jrid === jrid && last.reading !== rows.reading.number;
    const isReplaced = index === null && isOtherReading && last.row === state.focus.row;
    if (jrid !== null && !isReplaced) select(next);
  });
}

/** Conversely the row follows the form while the user works in that. */
function useRowFollowsForm(
  { grid, scroller, onShow }: OpenRecordOptions,
  { jrid, index }: OpenPosition,
): void {
  const shown = useRef<string | null>(null);
  const show = useEffectEvent((at: number) => {
    if (grid.state.active || grid.row?.key === jrid) return;
    grid.dispatch({ do: 'follow', row: at });
    if (!isFullyVisible(scroller.current, at)) onShow(at);
  });
  useEffect(() => {
    if (jrid === null) shown.current = null;
    if (jrid === null || index === null || shown.current === jrid) return;
    shown.current = jrid;
    show(index);
  }, [jrid, index]);
}

function storedOf(rows: TableRows, index: number, jrid: string | null): ServerRecord | null {
  const row = rows.at(index);
  return row?.key === jrid ? (row?.stored ?? null) : null;
}

/** Whether a row is fully visible, not covered at the edges. */
function isFullyVisible(scroller: HTMLElement | null, row: number): boolean {
  const box = scroller?.getBoundingClientRect();
  const drawn = scroller?.querySelector(`[data-row="${row}"]`)?.getBoundingClientRect();
  if (!box || !drawn) return false;
  return drawn.top >= box.top + drawn.height && drawn.bottom <= box.bottom;
}
