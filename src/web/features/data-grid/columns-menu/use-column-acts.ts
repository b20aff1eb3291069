import type { Column } from '#shared/definitions.ts';
import type { ListView } from '#web/api/list-view.ts';
import { rememberWidths, startWidth, useWidths } from '#web/ui/list-tools/column-widths.ts';
import { WIDTHS } from '../columns.ts';
import { withColumnsShown } from '../table-fields.ts';
import type { ColumnActs } from './column-menu.tsx';

interface ColumnActsOptions {
  readonly guid: string;
  /** the columns shown, in their order */
  readonly columns: readonly Column[];
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  readonly onFilter: (column: Column) => void;
  readonly onSummarise: (column: Column) => void;
  readonly onColour: (column: Column) => void;
}

/** What the menus of headings do; place, order and what is frozen are part of the view. */
export function useColumnActs(options: ColumnActsOptions) {
  const { guid, columns, view, onViewChange, onFilter, onSummarise, onColour } = options;
  const widths = useWidths(guid);
  const show = (next: readonly Column[]) =>
    onViewChange({
      ...withColumnsShown(view, columns, next),
      columns: next.map(({ name }) => name),
    });
  /** Puts a column into the place of another one. */
  const put = (column: Column, at: number) => {
    const from = columns.indexOf(column);
    if (from < 0 || at < 0 || at >= columns.length || at === from) return;
    show(columns.toSpliced(from, 1).toSpliced(at, 0, column));
  };
  const acts: ColumnActs = {
    sort: ({ name }, down) => onViewChange({ ...view, sort: [down ? `-${name}` : name] }),
    filter: onFilter,
    summarise: onSummarise,
    colour: onColour,
    move: (column, by) => put(column, columns.indexOf(column) + by),
    freeze: (column) => {
      const { frozen: _, ...others } = view;
      onViewChange(column ? { ...others, frozen: columns.indexOf(column) + 1 } : others);
    },
    hide: (column) => show(columns.filter((one) => one !== column)),
    widen: (column, by) => {
      const width = (widths[column.name] ?? startWidth(column)) + by;
      rememberWidths(guid, {
        ...widths,
        [column.name]: Math.min(WIDTHS.most, Math.max(WIDTHS.least, width)),
      });
    },
  };
  return { acts, put };
}
