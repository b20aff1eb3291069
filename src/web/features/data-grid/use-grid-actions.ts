import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { Desk } from './desk.ts';
import type { GridActions } from './grid-actions.ts';
import type { Grid } from './use-grid.ts';
import type { useGridKeys } from './use-grid-keys.ts';

interface GridActionsOptions {
  readonly grid: Grid;
  readonly keys: ReturnType<typeof useGridKeys>;
  readonly desk: Desk;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** The actions of rows and cells as one object that stays the same, so that rows are drawn only when they change. */
export function useGridActions({ grid, keys, desk, scroller }: GridActionsOptions): GridActions {
  const latest = useRef({ grid, keys });
  useEffect(() => {
    latest.current = { grid, keys };
  });
  return useMemo(
    () => ({
      text: (text) => latest.current.grid.text(text),
      endByKey: (action, text) => latest.current.keys.endByKey(action, text),
      leaveEditor: (text) => latest.current.grid.endEdit(text),
      restore: (key, { name }) => desk.restore(key, name),
      tryAgain: (key, { name }) => desk.tryAgain(key, name),
      choose: (key, { name }, whose) => desk.choose(key, name, whose),
      discard: (key) => desk.discard(key),
      refocus: () => scroller.current?.querySelector<HTMLElement>('[data-focused]')?.focus(),
    }),
    [desk, scroller],
  );
}
