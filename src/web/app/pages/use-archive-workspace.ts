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
import { notify } from '#web/ui/notify.ts';
import { useDebouncedEffect } from '#web/ui/use-debounced-effect.ts';
import { useListView } from './use-list-view.ts';

/** The state that list and form of an archive share: the view in the address, the position in the list, and the focus. */
export function useArchiveWorkspace(archive: ArchiveDetail, grid: RefObject<ListHandle | null>) {
  const { view, changeView: changeAddress } = useListView('/archives/$archive');
  const rows = useRevisionRows(archive.table, view);
  const { selected } = view;
  // The field that had the focus last, and the form that receives it next.
  const lastField = useRef<string | null>(null);
  const entersNext = useRef(false);
  const [enter, setEnter] = useState<{ id: string; field: string | null } | null>(null);

  const { index, hasLeftList } = useListPosition(rows, selected);
  usePrefetchAround(archive.table, rows, index);
  // Keys can be faster than navigation: each continues from the target of the previous one.
  const pendingIndex = useRef<number | null>(null);
  useEffect(() => {
    if (pendingIndex.current === index) pendingIndex.current = null;
  }, [index]);

  // A navigation that opens a revision may request the focus in its form, once per visit.
  const visitWithFocus = useRouterState({
    select: ({ resolvedLocation }) =>
      resolvedLocation?.state.focusForm ? resolvedLocation.state.__TSR_key : undefined,
  });
  const focusForm = useEffectEvent(() => {
    if (selected === undefined) return;
    bufferFormKeys();
    setEnter({ id: selected, field: lastField.current });
  });
  useEffect(() => {
    if (visitWithFocus !== undefined) focusForm();
  }, [visitWithFocus]);

  const changeView = (change: ViewChange) => {
    pendingIndex.current = null;
    const after = (before: ListView) => (typeof change === 'function' ? change(before) : change);
    const next = after(view);
    const isSearching = Boolean(view.q) && Boolean(next.q) && view.q !== next.q;
    const isResizing = view.widths !== next.widths && isSameButWidths(view, next);
    changeAddress(after, { replace: isSearching || isResizing });
  };
  const select = (id: string | undefined) => {
    const change = (before: ListView) => {
      const { selected: _, ...others } = before;
      return id === undefined ? others : { ...others, selected: id };
    };
    // The Back button closes the form; it does not step through every row that was open.
    changeAddress(change, { replace: selected !== undefined && id !== undefined });
  };
  const open = (id: string, entered: boolean) => {
    if (entered) setEnter({ id, field: lastField.current });
    else discardFormKeys();
    if (id !== selected) select(id);
  };
  /** No other revision is to be opened. */
  const stay = () => {
    pendingIndex.current = null;
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
      if (next === null) stay();
      else open(next, entered);
    } catch (error) {
      // The next key starts from the present position.
      if (pendingIndex.current === to) stay();
      notify(texts.nextNotRead(summary(toFailure(error))));
    }
  };

  // A new list is ready when its rows are loaded; until then nothing can receive the focus.
  const entersList = useRef(false);
  useEffect(() => {
    if (!entersList.current || rows.status !== 'ready' || rows.count === 0) return;
    entersList.current = false;
    grid.current?.focus();
  }, [rows.status, rows.count, grid]);

  const close = () => {
    stay();
    select(undefined);
    grid.current?.focus();
  };
  const focusOn = enter !== null && enter.id === selected ? enter.field : undefined;
  useFormKeyBuffer(focusOn !== undefined);
  return {
    view,
    rows,
    changeView,
    open: (id: string, entered: boolean) => {
      pendingIndex.current = null;
      if (entered) bufferFormKeys();
      open(id, entered);
    },
    close,
    /** focuses the list, once it has rows */
    enterList: () => {
      entersList.current = true;
    },
    /** the revision after the selected one, if known */
    nextId: index < 0 ? undefined : rows.at(hasLeftList ? index : index + 1)?.revisionId,
    /** the props of the form of the selected revision */
    form: {
      listPosition: index < 0 ? null : { index, count: rows.count },
      focusOn,
      onFocused: () => setEnter(null),
      onFieldFocus: (field: string) => {
        lastField.current = field;
      },
      onEnterNext: () => {
        entersNext.current = true;
      },
      onMove: (by: 1 | -1) => void move(by),
      onBack: () => {
        // On narrow screens the form covers the list.
        if (matchMedia('(width < 720px)').matches) close();
        else grid.current?.focus();
      },
    },
  };
}

export type ArchiveWorkspace = ReturnType<typeof useArchiveWorkspace>;

interface LastPosition {
  readonly id: string;
  readonly index: number;
  readonly filter: object;
}

/**
 * The position of the open revision in the list, -1: unknown. A corrected row may no longer match the filter; the next
 * one then has its position.
 */
function useListPosition(rows: RevisionRows, selected: string | undefined) {
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
