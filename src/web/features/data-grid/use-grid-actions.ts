import { type RefObject, useMemo } from 'react';
import type { EditStore } from './edit-store/edit-store.ts';
import type { GridActions } from './grid-actions.ts';
import type { Grid } from './use-grid.ts';
import type { useGridKeys } from './use-grid-keys.ts';
import { useLatest } from '#web/ui/use-latest.ts';

interface GridActionsOptions {
  readonly grid: Grid;
  readonly keys: ReturnType<typeof useGridKeys>;
  readonly editStore: EditStore;
  readonly onOpenRecord: (jrid: string) => void;
  readonly onSuggest: GridActions['suggest'];
  readonly scroller: RefObject<HTMLElement | null>;
}

/** The actions of rows and cells as one stable object, so that rows are rendered only when they change. */
export function useGridActions(options: GridActionsOptions): GridActions {
  const { grid, keys, editStore, onOpenRecord, onSuggest, scroller } = options;
  const latest = useLatest({ grid, keys, onOpenRecord, onSuggest });
  return useMemo(
    () => ({
      setText: (text) => latest.current.grid.setText(text),
      endEditByKey: (action, text, fills) => latest.current.keys.endEditByKey(action, text, fills),
      textIn: (column) => latest.current.grid.textIn(column),
      leaveEditor: (text) => latest.current.grid.endEdit(text),
      restore: (key, { name }) => editStore.discard([{ key, column: name }]),
      tryAgain: (key, { name }) => editStore.tryAgain(key, name),
      choose: (key, column, side) => editStore.choose(key, column, side),
      chooseMeaning: (value) => latest.current.grid.put(value),
      suggest: (key, fills) => latest.current.onSuggest(key, fills),
      discard: (key) => editStore.discard([{ key, column: null }]),
      openRecord: (jrid) => latest.current.onOpenRecord(jrid),
      refocus: () => scroller.current?.querySelector<HTMLElement>('[data-focused]')?.focus(),
    }),
    [latest, editStore, scroller],
  );
}
