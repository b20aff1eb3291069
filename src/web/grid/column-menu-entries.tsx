import * as texts from '#messages/grid.ts';
import { isText } from '#shared/values/registry.ts';
import type { ListField } from '../list-tools/list-field.ts';
import { SortDownIcon, SortUpIcon } from '../ui/icons.tsx';
import { clampWidth } from './column-widths.ts';
import type { ColumnMenuEntry } from './column-menu.tsx';
import type { GridTable } from './use-grid-table.ts';

/** Pixels by which the menu makes a column wider or narrower. */
const WIDTH_STEP = 24;

/** The entry that shows the values in use of a text field or keyword field; none for other columns. */
export function cleanUpEntry<Field extends ListField>(
  field: Field,
  onCleanUp: (field: Field) => void,
): readonly ColumnMenuEntry[] {
  if (field.kind !== 'keyword' && (field.kind !== 'field' || !isText(field))) return [];
  return [{ label: texts.cleanUpValues, movesFocus: true, onSelect: () => onCleanUp(field) }];
}

interface EntriesOptions<Field extends ListField> {
  readonly table: GridTable;
  readonly field: Field;
  /** requests a condition on the column */
  readonly onFilter: (field: Field) => void;
  /** entries of this list only */
  readonly more: readonly ColumnMenuEntry[];
  /** the width at which the heading and the values in view are completely visible */
  readonly fittingWidth: () => number;
}

/** The entries in the menu of a heading. Those of every list are here; a list adds its own by `more`. */
export function columnMenuEntries<Field extends ListField>(
  options: EntriesOptions<Field>,
): readonly (readonly ColumnMenuEntry[])[] {
  const { table, field, onFilter, more, fittingWidth } = options;
  const column = table.getColumn(field.name);
  if (!column) return [];
  const order = table.getAllLeafColumns().map(({ id }) => id);
  const index = order.indexOf(column.id);
  const resize = (width: number) =>
    table.setColumnSizing((before) => ({ ...before, [column.id]: clampWidth(width) }));
  const isLastPinned = table.state.columnPinning.start.at(-1) === column.id;
  const sorting: ColumnMenuEntry[] = column.getCanSort()
    ? [
        {
          label: texts.sortAscending,
          icon: <SortUpIcon size={14} />,
          onSelect: () => column.toggleSorting(false),
        },
        {
          label: texts.sortDescending,
          icon: <SortDownIcon size={14} />,
          onSelect: () => column.toggleSorting(true),
        },
      ]
    : [];
  return [
    [
      ...sorting,
      { label: texts.filterByColumn, movesFocus: true, onSelect: () => onFilter(field) },
      ...more,
    ],
    [
      {
        label: texts.moveLeft,
        isDisabled: index <= 0,
        onSelect: () => moveColumn(table, column.id, index - 1),
      },
      {
        label: texts.moveRight,
        isDisabled: index === order.length - 1,
        onSelect: () => moveColumn(table, column.id, index + 1),
      },
      {
        label: texts.wider,
        staysOpen: true,
        onSelect: () => resize(column.getSize() + WIDTH_STEP),
      },
      {
        label: texts.narrower,
        staysOpen: true,
        onSelect: () => resize(column.getSize() - WIDTH_STEP),
      },
      { label: texts.fitWidth, onSelect: () => resize(fittingWidth()) },
      {
        label: isLastPinned ? texts.unfreezeColumns : texts.freezeColumns,
        onSelect: () =>
          table.setColumnPinning({ start: isLastPinned ? [] : order.slice(0, index + 1), end: [] }),
      },
      {
        label: texts.hideColumn,
        isDisabled: order.length === 1,
        onSelect: () => table.setColumnOrder(order.toSpliced(index, 1)),
      },
    ],
  ];
}

/** Moves a column to another position among those shown, from 0. */
export function moveColumn(table: GridTable, id: string, to: number): void {
  const order = table.getAllLeafColumns().map((column) => column.id);
  const from = order.indexOf(id);
  if (from < 0 || to < 0 || to >= order.length || to === from) return;
  table.setColumnOrder(order.toSpliced(from, 1).toSpliced(to, 0, id));
}
