import type { RefObject } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import type { ListView } from '#web/api/list-view.ts';
import type { ColumnActs } from '#web/grid/column-menu.tsx';
import { useColumnActs } from '#web/grid/use-column-acts.ts';
import { columnTexts } from './column-texts.ts';
import { WIDTHS } from './column-definitions.ts';
import { withColumnsShown } from './table-fields.ts';
import type { Rows } from '../rows/use-rows.ts';

interface GridColumnsOptions {
  readonly guid: string;
  /** the columns shown, in their order */
  readonly columns: readonly Column[];
  readonly rows: Rows;
  /** the rows on the screen */
  readonly viewport: RefObject<{ readonly from: number; readonly to: number }>;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  readonly onFilter: (column: Column) => void;
  readonly onSummarise: (column: Column) => void;
  readonly onColour: (column: Column) => void;
}

/** What the menus of a grid's headings do; what is frozen is part of the view, as place and order are. */
export function useGridColumns(options: GridColumnsOptions) {
  const { guid, columns, rows, viewport, scroller, view, onViewChange, onFilter } = options;
  const { acts, put } = useColumnActs({
    list: guid,
    columns,
    limits: WIDTHS,
    scroller,
    textsOf: (column) => columnTexts(rows, column, viewport.current),
    onColumns: (next) =>
      onViewChange({
        ...withColumnsShown(view, columns, next),
        columns: next.map(({ name }) => name),
      }),
    onSort: (sort) => onViewChange({ ...view, sort }),
    onFilter,
  });
  const gridActs: ColumnActs<Column> = {
    ...acts,
    summarise: options.onSummarise,
    colour: options.onColour,
    freeze: (column) => {
      const { frozen: _, ...others } = view;
      onViewChange(column ? { ...others, frozen: columns.indexOf(column) + 1 } : others);
    },
  };
  return { acts: gridActs, put };
}
