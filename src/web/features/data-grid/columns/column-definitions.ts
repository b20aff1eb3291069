import {
  columnResizingFeature,
  columnSizingFeature,
  createColumnHelper,
  tableFeatures,
} from '@tanstack/react-table';
import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/values.ts';
import { startWidth } from '#web/grid/column-widths.ts';
import type { Row } from '../rows/use-rows.ts';

/**
 * Pixels of the row headers, wide enough for the number of the last row and the button beside it. A large table is known
 * to be one with its first page, its exact count comes later: then nothing must move any more.
 */
export function rowHeaderWidth(rows: number): number {
  return rows < 10_000 ? 56 : 110;
}
/** Pixels of a column. */
export const WIDTHS = { least: 64, most: 900 } as const;

export const features = tableFeatures({ columnSizingFeature, columnResizingFeature });
const helper = createColumnHelper<typeof features, Row>();

/** The columns for the table library, which keeps their widths. */
export function columnDefinitions(columns: readonly Column[]) {
  return helper.columns(
    columns.map((column) =>
      helper.accessor((row): Scalar => row.stored?.dataset[column.name] ?? null, {
        id: column.name,
        header: column.label,
        size: startWidth(column),
        minSize: WIDTHS.least,
        maxSize: WIDTHS.most,
      }),
    ),
  );
}

/** A text of several lines may stand in the column, so its editor takes line breaks. */
export function takesLines(column: Column, text: string): boolean {
  if (column.type !== 'text' || column.options) return false;
  return (column.maxLength ?? Number.POSITIVE_INFINITY) > 200 || /[\r\n]/.test(text);
}
