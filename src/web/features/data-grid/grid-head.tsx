import type { Header } from '@tanstack/react-table';
import { memo, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { type ColumnActs, ColumnMenu } from '#web/grid/column-menu.tsx';
import type { features } from './columns/column-definitions.ts';
import classes from './data-grid.module.css';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { GRID_LAYER } from '#web/grid/grid-layer.ts';
import { GridHeader } from './grid-header.tsx';
import type { Row } from './rows/use-rows.ts';

interface GridHeadProps {
  readonly columns: readonly Column[];
  readonly headers: readonly Header<typeof features, Row>[];
  /** the columns to draw, from 1 */
  readonly drawn: readonly number[];
  /** pixels from the left edge at which each frozen column stays */
  readonly lefts: readonly number[];
  readonly sort: readonly string[];
  /** how many columns stay at the left */
  readonly frozen: number;
  /** the heading that holds the keyboard; null: none */
  readonly focusCol: number | null;
  readonly active: boolean;
  readonly acts: ColumnActs<Column>;
  readonly onSort: (column: Column, adding: boolean) => void;
  /** puts a column into the place of another one, counted from 0 */
  readonly onPut: (column: Column, at: number) => void;
}

/** The headings; drawn anew only when something of them changes, not while rows pass below. */
export const GridHead = memo(function GridHead(props: GridHeadProps) {
  const { columns, headers, drawn, lefts, sort, frozen, focusCol, active } = props;
  const { acts, onSort, onPut } = props;
  const [menuOf, setMenuOf] = useState<string | null>(null);
  const [nearTo, setNearTo] = useState<string | null>(null);
  return (
    <div role="row" aria-rowindex={1} className={classes.head}>
      <div
        role="columnheader"
        aria-colindex={1}
        className={classes.corner}
        data-col={0}
        tabIndex={-1}
      >
        <VisuallyHidden>Row</VisuallyHidden>
      </div>
      {drawn.map((col) => {
        const column = columns[col - 1];
        const header = headers[col - 1];
        return (
          column &&
          header && (
            <GridHeader
              key={column.name}
              header={header}
              column={column}
              col={col}
              left={lefts[col - 1]}
              sort={sort}
              focused={focusCol === col}
              active={active}
              onSort={onSort}
              onPut={(name) => {
                const moved = columns.find((one) => one.name === name);
                if (moved) onPut(moved, col - 1);
              }}
              onNear={() => setNearTo(column.name)}
              onFit={() => acts.fit(column)}
              onMenu={() => setMenuOf(column.name)}
              menu={
                <ColumnMenu
                  column={column}
                  col={col}
                  of={columns.length}
                  frozen={col === frozen}
                  near={nearTo === column.name}
                  opened={menuOf === column.name}
                  onOpened={(opened) => setMenuOf(opened ? column.name : null)}
                  acts={acts}
                  layer={GRID_LAYER}
                />
              }
            />
          )
        );
      })}
    </div>
  );
});
