import {
  columnResizingFeature,
  columnSizingFeature,
  createColumnHelper,
  tableFeatures,
} from '@tanstack/react-table';
import type { Column } from '#shared/definitions.ts';
import type { TableDetail } from '#shared/answers.ts';
import type { Scalar } from '#shared/values.ts';
import type { Row } from './use-rows.ts';

export const ROW_HEADER_WIDTH = 56;
export const ROW_HEIGHT = 31;

export const features = tableFeatures({ columnSizingFeature, columnResizingFeature });
const helper = createColumnHelper<typeof features, Row>();

/** The columns of a view in their order; what the table does not have is left out. */
export function chosenColumns(
  table: Pick<TableDetail, 'columns'>,
  chosen: readonly string[] | undefined,
): readonly Column[] {
  const named = (name: string) =>
    table.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  const found = [...new Set((chosen ?? []).flatMap((name) => named(name) ?? []))];
  return found.length > 0 ? found : table.columns;
}

/** The same for the table library, which keeps their widths. */
export function columnDefinitions(columns: readonly Column[]) {
  return helper.columns(
    columns.map((column) =>
      helper.accessor((row): Scalar => row.stored?.dataset[column.name] ?? null, {
        id: column.name,
        header: column.label,
        size: startWidth(column),
        minSize: 64,
        maxSize: 900,
      }),
    ),
  );
}

/** Pixels of a column that nobody has resized: by type, and wide enough for its heading. */
function startWidth(column: Column): number {
  const heading = column.label.length * 7.2 + 60;
  return Math.round(Math.min(Math.max(heading, valueWidth(column)), 320));
}

function valueWidth({ type, maxLength }: Column): number {
  switch (type) {
    case 'text':
      return maxLength === null ? 210 : maxLength <= 12 ? 96 : maxLength <= 40 ? 150 : 220;
    case 'integer':
    case 'decimal':
      return 104;
    case 'boolean':
      return 84;
    case 'date':
      return 112;
    case 'datetime':
      return 204;
    default:
      return type satisfies never;
  }
}

type Widths = Readonly<Record<string, number>>;
const keyOf = (guid: string) => `indexdesk-columns-${guid.toLowerCase()}`;

/** The widths that somebody gave to the columns of a table in this browser. */
export function rememberedWidths(guid: string): Widths {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(guid)) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0,
      ),
    );
  } catch {
    // Storage may be forbidden in a browser; columns then start at their own widths.
    return {};
  }
}

export function rememberWidths(guid: string, widths: Widths): void {
  try {
    localStorage.setItem(keyOf(guid), JSON.stringify(widths));
  } catch {
    // Not remembered, then.
  }
}

/** A text of several lines may stand in the column, so its editor takes line breaks. */
export function takesLines(column: Column, text: string): boolean {
  if (column.type !== 'text' || column.options) return false;
  return (column.maxLength ?? Number.POSITIVE_INFINITY) > 200 || /[\r\n]/.test(text);
}
