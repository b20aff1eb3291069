import * as texts from '#messages/workspaces.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { type ListView, type ViewChange, writeListView } from '#web/api/list-view.ts';
import type { ListHandle } from '#web/features/archive-list/revision-grid.tsx';
import {
  type RevisionRows,
  useRevisionRows,
} from '#web/features/archive-list/use-revision-rows.ts';
import { revisionQuery } from '#web/api/revisions.queries.ts';
import { discardFormKeys, bufferFormKeys, useFormKeyBuffer } from '#web/ui/form-key-buffer.ts';
import { notifyFailure } from '#web/ui/notify.ts';
import { useDebouncedEffect } from '#web/ui/use-debounced-effect.ts';
import { useListView } from './use-list-view.ts';

/** The state that list and form of an archive share: the view in the address, the position in the list, and the focus. */
export function useArchiveWorkspace(archive: ArchiveDetail, grid: RefObject<ListHandle | null>) {
  const { view, changeView: changeAddress } = useListView('/archives/$archive');
  const rows = useRevisionRows(archive.table, view);
  const { selected } = view;
  const { focusForm, ...formFocus } = useFormFocus(selected);
  const enterList = useListFocus(grid, rows);

  const select = (id: string | undefined) => {
    const change = (before: ListView) => {
      const { selected: _, ...others } = before;
      return id === undefined ? others : { ...others, selected: id };
    };
    // The Back button closes the form; it does not step through every row that was open.
    changeAddress(change, { replace: selected !== undefined && id !== undefined });
  };
  const show = (id: string, entered: boolean) => {
    if (entered) focusForm(id);
    else discardFormKeys();
    if (id !== selected) select(id);
  };
  const position = useListPosition(rows, selected);
  const { index, hasLeftList } = position;
  usePrefetchAround(archive.table, rows, index);
  const { cancelMove, ...moves } = useMoves(rows, position, show);

  const changeView = (change: ViewChange) => {
    cancelMove();
    const after = (before: ListView) => (typeof change === 'function' ? change(before) : change);
    const next = after(view);
    const isSearching = Boolean(view.q) && Boolean(next.q) && view.q !== next.q;
    const isResizing = view.widths !== next.widths && isSameButWidths(view, next);
    changeAddress(after, { replace: isSearching || isResizing });
  };
  const open = (id: string, entered: boolean) => {
    cancelMove();
    if (entered) bufferFormKeys();
    show(id, entered);
  };
  const close = () => {
    cancelMove();
    discardFormKeys();
    select(undefined);
    grid.current?.focus();
  };
  return {
    view,
    rows,
    changeView,
    open,
    close,
    /** focuses the list, once it has rows */
    enterList,
    /** the revision after the selected one, if known */
    nextId: index < 0 ? undefined : rows.at(hasLeftList ? index : index + 1)?.revisionId,
    /** the props of the form of the selected revision */
    form: {
      listPosition: index < 0 ? null : { index, count: rows.count },
      ...formFocus,
      ...moves,
      onBack: () => {
        // On narrow screens the form covers the list.
        if (matchMedia('(width < 720px)').matches) close();
        else grid.current?.focus();
      },
    },
  };
}

export type ArchiveWorkspace = ReturnType<typeof useArchiveWorkspace>;

/** Focuses a new list when its rows are loaded; until then nothing can receive the focus. @returns requests that */
function useListFocus(
  grid: RefObject<ListHandle | null>,
  { status, count }: RevisionRows,
): () => void {
  const isRequested = useRef(false);
  useEffect(() => {
    if (!isRequested.current || status !== 'ready' || count === 0) return;
    isRequested.current = false;
    grid.current?.focus();
  }, [status, count, grid]);
  return () => {
    isRequested.current = true;
  };
}

/** The focus of the form: the next one receives it in the field that had it last. */
function useFormFocus(selected: string | undefined) {
  const lastField = useRef<string | null>(null);
  const [enter, setEnter] = useState<{ id: string; field: string | null } | null>(null);
  const focusForm = (id: string) => setEnter({ id, field: lastField.current });

  // A navigation that opens a revision may request the focus in its form, once per visit.
  const visitWithFocus = useRouterState({
    select: ({ resolvedLocation }) =>
      resolvedLocation?.state.focusForm ? resolvedLocation.state.__TSR_key : undefined,
  });
  const focusSelected = useEffectEvent(() => {
    if (selected === undefined) return;
    bufferFormKeys();
    focusForm(selected);
  });
  useEffect(() => {
    if (visitWithFocus !== undefined) focusSelected();
  }, [visitWithFocus]);

  const focusOn = enter !== null && enter.id === selected ? enter.field : undefined;
  useFormKeyBuffer(focusOn !== undefined);
  return {
    focusForm,
    focusOn,
    onFocused: () => setEnter(null),
    onFieldFocus: (field: string) => {
      lastField.current = field;
    },
  };
}

interface ListPosition {
  /** -1: unknown */
  readonly index: number;
  /** whether the revision no longer matches the filter, so that the next one has its position */
  readonly hasLeftList: boolean;
}

/**
 * Moves from the open revision to its neighbours. Keys can be faster than navigation: each continues from the target of
 * the previous one.
 * @param show opens a revision; `entered`: with the focus in its form
 */
function useMoves(
  rows: RevisionRows,
  { index, hasLeftList }: ListPosition,
  show: (id: string, entered: boolean) => void,
) {
  const pendingIndex = useRef<number | null>(null);
  useEffect(() => {
    if (pendingIndex.current === index) pendingIndex.current = null;
  }, [index]);
  const entersNext = useRef(false);
  const cancelMove = () => {
    pendingIndex.current = null;
  };
  /** No other revision is to be opened. */
  const resetTarget = () => {
    cancelMove();
    discardFormKeys();
  };
  const move = async (by: 1 | -1) => {
    const entered = entersNext.current;
    entersNext.current = false;
    const target = pendingIndex.current !== null || !hasLeftList || by === -1 ? by : 0;
    const to = (pendingIndex.current ?? index) + target;
    if (index < 0 || to < 0) return discardFormKeys();
    if (entered) bufferFormKeys();
    pendingIndex.current = to;
    try {
      const next = await rows.idAt(to);
      // Another revision was requested while this one was loading.
      if (pendingIndex.current !== to) return;
      if (next === null) resetTarget();
      else show(next, entered);
    } catch (error) {
      // The next key starts from the present position.
      if (pendingIndex.current === to) resetTarget();
      notifyFailure(texts.nextNotRead(summary(toFailure(error))));
    }
  };
  return {
    cancelMove,
    onMove: (by: 1 | -1) => void move(by),
    /** the next move focuses the form */
    onEnterNext: () => {
      entersNext.current = true;
    },
  };
}

interface LastPosition {
  readonly id: string;
  readonly index: number;
  readonly filter: object;
}

/** The position of the open revision in the list. A corrected row may no longer match the filter. */
function useListPosition(rows: RevisionRows, selected: string | undefined): ListPosition {
  const { filter } = rows;
  const found = selected === undefined ? -1 : rows.indexOf(selected);
  const [last, setLast] = useState<LastPosition | null>(null);
  const isLast = last !== null && last.id === selected && last.filter === filter;
  if (selected !== undefined && found >= 0 && !(isLast && last.index === found)) {
    setLast({ id: selected, index: found, filter });
  }
  const hasLeftList = found < 0 && isLast;
  return { index: hasLeftList ? last.index : found, hasLeftList };
}

/** Moving quickly through the list does not load every neighbour, in milliseconds. */
const PREFETCH_DELAY = 120;

/** Loads the revisions before and after a position, so that their forms open at once. */
function usePrefetchAround(archive: string, rows: RevisionRows, index: number): void {
  const client = useQueryClient();
  useDebouncedEffect(index, PREFETCH_DELAY, (around) => {
    if (around < 0) return;
    for (const neighbour of [around + 1, around - 1]) {
      const id = neighbour < 0 ? undefined : rows.at(neighbour)?.revisionId;
      if (id) void client.query(revisionQuery(archive, id)).catch(() => undefined);
    }
  });
}

function isSameButWidths(before: ListView, after: ListView): boolean {
  const [a, b] = [before, after].map((view) =>
    JSON.stringify(writeListView({ ...view, widths: {} })),
  );
  return a === b;
}
