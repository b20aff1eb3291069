import {
  columnResizingFeature,
  columnSizingFeature,
  createColumnHelper,
  tableFeatures,
} from '@tanstack/react-table';
import { startWidth } from '#web/grid/column-widths.ts';
import type { ListField } from '#web/list-tools/list-field.ts';
import { valueIn } from './list-columns.ts';
import type { ListEntry } from './list.queries.ts';

/** A row on the screen; its entry may still be on the way. */
export interface Row {
  readonly index: number;
  readonly entry: ListEntry | undefined;
}

export const features = tableFeatures({ columnSizingFeature, columnResizingFeature });

/** Pixels of a column. */
export const WIDTHS = { least: 56, most: 900 } as const;

const helper = createColumnHelper<typeof features, Row>();

/** The table's columns for the chosen fields. */
export function columnsOf(fields: readonly ListField[]) {
  return helper.columns(
    fields.map((field) =>
      helper.accessor(({ entry }) => (entry ? valueIn(entry, field) : null), {
        id: field.name,
        header: field.label,
        size: startWidth(field),
        minSize: WIDTHS.least,
        maxSize: WIDTHS.most,
      }),
    ),
  );
}
