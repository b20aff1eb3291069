import { useMemo } from 'react';
import { clampWidth } from './column-widths.ts';
import type { GridTable } from './use-grid-table.ts';

/**
 * The widths in pixels of the visible columns, in order; the same array while they are equal. A column that is being
 * resized already has its new width, which the view gets when the pointer is released.
 */
export function useColumnWidths(table: GridTable): readonly number[] {
  const { isResizingColumn, deltaOffset } = table.state.columnResizing;
  const written = table
    .getAllLeafColumns()
    .map((column) => {
      const size = column.getSize();
      if (column.id !== isResizingColumn) return size;
      return clampWidth(size + (deltaOffset ?? 0));
    })
    .join(' ');
  return useMemo(() => (written === '' ? [] : written.split(' ').map(Number)), [written]);
}
