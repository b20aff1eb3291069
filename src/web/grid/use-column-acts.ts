import type { RefObject } from 'react';
import { rememberWidths, startWidth, useWidths } from './column-widths.ts';
import type { ColumnActs } from './column-menu.tsx';
import { fittingWidth } from './fit-column.ts';
import type { ListField } from '../list-tools/list-field.ts';

type Field = Pick<ListField, 'name' | 'label' | 'type' | 'maxLength'> &
  Partial<Pick<ListField, 'kind'>>;

interface ColumnActsOptions<Column extends Field> {
  /** under which the widths are stored: the archive's table name or the table's GUID */
  readonly list: string;
  /** the columns shown, in their order */
  readonly columns: readonly Column[];
  /** the least and most pixels of a column */
  readonly limits: { readonly least: number; readonly most: number };
  /** the list's element, which has the font of its cells */
  readonly scroller: RefObject<HTMLElement | null>;
  /** the texts of a column in the rows that are read, for its width */
  readonly textsOf: (column: Column) => readonly string[];
  readonly onColumns: (columns: readonly Column[]) => void;
  readonly onSort: (sort: readonly string[]) => void;
  readonly onFilter: (column: Column) => void;
}

/** What the menus of headings do in every list; place and order are part of the view, widths of the browser. */
export function useColumnActs<Column extends Field>(options: ColumnActsOptions<Column>) {
  const { list, columns, limits, scroller, textsOf, onColumns, onSort, onFilter } = options;
  const widths = useWidths(list);
  const resize = ({ name }: Column, width: number) =>
    rememberWidths(list, {
      ...widths,
      [name]: Math.min(limits.most, Math.max(limits.least, width)),
    });
  /** Puts a column into the place of another one. */
  const put = (column: Column, at: number) => {
    const from = columns.indexOf(column);
    if (from < 0 || at < 0 || at >= columns.length || at === from) return;
    onColumns(columns.toSpliced(from, 1).toSpliced(at, 0, column));
  };
  const acts: ColumnActs<Column> = {
    sort: ({ name }, down) => onSort([down ? `-${name}` : name]),
    filter: onFilter,
    move: (column, by) => put(column, columns.indexOf(column) + by),
    hide: (column) => onColumns(columns.filter((one) => one !== column)),
    widen: (column, by) => resize(column, (widths[column.name] ?? startWidth(column)) + by),
    fit: (column) =>
      resize(column, fittingWidth(column.label, textsOf(column), scroller.current, limits)),
  };
  return { acts, put };
}
