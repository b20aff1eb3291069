import {
  type ColumnSizingState,
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  createColumnHelper,
  functionalUpdate,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { ListView, ViewChange } from '#web/api/list-view.ts';
import { isSortable, type ListField } from '../list-tools/list-field.ts';
import { COLUMN_WIDTH, startWidth } from './column-widths.ts';
import { viewWithColumns } from '../list-tools/view-with-columns.ts';

const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  rowSortingFeature,
});

/** The table has no rows: the service filters and sorts them, and the list draws those in view. */
const NO_ROWS: readonly object[] = [];

interface GridTableOptions {
  /** the columns that are shown, in their order */
  readonly shown: readonly ListField[];
  readonly view: ListView;
  /**
   * whether no column is pinned, even if the view has pinned columns: on a narrow screen there would be no room for the
   * others
   */
  readonly isNarrow: boolean;
  readonly onViewChange: (change: ViewChange) => void;
}

/**
 * The table model of a list. Its columns, their order, pinning, widths and sorting are those of the view, so that an
 * address and a saved view restore them.
 */
export function useGridTable(options: GridTableOptions) {
  const { shown, view, isNarrow, onViewChange } = options;
  const columns = useMemo(() => {
    const helper = createColumnHelper<typeof features, object>();
    return helper.columns(
      shown.map((field) =>
        // A column without an accessor cannot be sorted.
        helper.accessor(() => null, {
          id: field.name,
          header: field.label,
          size: startWidth(field),
          minSize: COLUMN_WIDTH.min,
          maxSize: COLUMN_WIDTH.max,
          enableSorting: isSortable(field),
        }),
      ),
    );
  }, [shown]);
  const columnState = useMemo(
    () => columnStateOf(shown, isNarrow ? { ...view, frozen: 0 } : view),
    [shown, view, isNarrow],
  );
  const change = <State>(
    updater: Updater<State>,
    of: (before: ListView) => State,
    write: (before: ListView, state: State) => ListView,
  ) => onViewChange((before) => write(before, functionalUpdate(updater, of(before))));
  const names = () => shown.map(({ name }) => name);
  return useTable({
    features,
    columns,
    data: NO_ROWS,
    // The service sorts.
    manualSorting: true,
    sortDescFirst: false,
    columnResizeMode: 'onEnd',
    state: columnState,
    onSortingChange: (updater) =>
      change(
        updater,
        ({ sort }) => toSortingState(sort),
        (before, sorting) => ({ ...before, sort: fromSortingState(sorting) }),
      ),
    onColumnSizingChange: (updater) =>
      change<ColumnSizingState>(
        updater,
        ({ widths }) => ({ ...widths }),
        (before, widths) => ({ ...before, widths }),
      ),
    // A column that is left out is hidden.
    onColumnOrderChange: (updater) =>
      change(updater, names, (before, order) => viewWithColumns(before, names(), order)),
    onColumnPinningChange: (updater) =>
      change(
        updater,
        () => columnState.columnPinning,
        (before, { start }) => withPinned(before, start.length),
      ),
  });
}

export type GridTable = ReturnType<typeof useGridTable>;

function withPinned(view: ListView, count: number): ListView {
  const { frozen: _, ...others } = view;
  return count > 0 ? { ...others, frozen: count } : others;
}

function columnStateOf(shown: readonly ListField[], { frozen = 0, sort, widths }: ListView) {
  return {
    columnPinning: { start: shown.slice(0, frozen).map(({ name }) => name), end: [] },
    columnSizing: { ...widths },
    sorting: toSortingState(sort),
  };
}

/** Converts the sorting of a view (`NAME` or `-NAME`) to table state. */
function toSortingState(sort: readonly string[] = []): SortingState {
  return sort.map((key) => ({ id: key.replace(/^-/, ''), desc: key.startsWith('-') }));
}

/** Converts the sorting of the table to that of a view. */
function fromSortingState(sorting: SortingState): readonly string[] {
  return sorting.map(({ id, desc }) => (desc ? `-${id}` : id));
}
