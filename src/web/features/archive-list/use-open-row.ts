import { type Dispatch, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { FocusAction } from '#web/grid/grid-focus.ts';
import type { GridHandle } from '#web/grid/virtual-grid.tsx';
import type { RevisionRows } from './use-revision-rows.ts';

interface OpenRowOptions {
  readonly rows: RevisionRows;
  readonly openId: string | undefined;
  /** a heading keeps the focus when the list is sorted by it */
  readonly isOnHeading: boolean;
  readonly dispatch: Dispatch<FocusAction>;
  readonly handle: RefObject<GridHandle | null>;
}

/**
 * Focuses the row of the open revision, which the address names, when another revision is opened or its list is loaded.
 * Another sorting or filter starts at the first row.
 */
export function useOpenRow(options: OpenRowOptions): void {
  const { rows, openId, isOnHeading, dispatch, handle } = options;
  const isReady = rows.status === 'ready';
  const request = useRef(0);
  const showFirst = useEffectEvent(() => {
    // A position that was requested in the previous order is invalid in this one.
    request.current += 1;
    handle.current?.scrollToTop();
    if (!isOnHeading) dispatch({ do: 'follow', row: 0 });
  });
  const showOpen = useEffectEvent(async (revisionId: string, isOtherList: boolean) => {
    const current = ++request.current;
    const index = await rows.locate(revisionId).catch(() => -1);
    if (index < 0 || current !== request.current) return;
    dispatch({ do: 'follow', row: index });
    if (isOtherList) handle.current?.scrollToMiddle(index);
    else handle.current?.scrollTo(index);
  });
  const previous = useRef<{ filter: unknown; openId: string | undefined } | null>(null);
  useEffect(() => {
    const before = previous.current;
    previous.current = { filter: rows.filter, openId };
    const isOtherList = before?.filter !== rows.filter;
    if (isOtherList) showFirst();
    // A link or a view with a revision shows that revision.
    const keepsFirst = before !== null && isOtherList && before.openId === openId;
    if (openId !== undefined && !keepsFirst && isReady) void showOpen(openId, isOtherList);
  }, [openId, rows.filter, isReady]);
}
