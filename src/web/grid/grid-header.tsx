import { memo, type ReactNode, useState } from 'react';
import type { ListField } from '../list-tools/list-field.ts';
import { ColumnMenu, type ColumnMenuEntry } from './column-menu.tsx';
import classes from './grid.module.css';
import { GridHeading } from './grid-heading.tsx';
import type { GridTable } from './use-grid-table.ts';

interface GridHeaderProps {
  /** the ids of the headings begin with it */
  readonly id: string;
  readonly headers: ReturnType<GridTable['getLeafHeaders']>;
  /** the columns that are shown, in the order of the headers */
  readonly shown: readonly ListField[];
  /** the columns to draw, from 1 */
  readonly renderedColumns: readonly number[];
  /** the left offset in pixels of each pinned column */
  readonly pinnedOffsets: readonly number[];
  readonly sorting: GridTable['state']['sorting'];
  /** the column that is being resized */
  readonly resizing: string | false;
  /** the heading with the focus, from 1; null: none */
  readonly focusCol: number | null;
  readonly isActive: boolean;
  /** whether the focused heading itself has the focus; otherwise the grid refers to it by its id */
  readonly takesFocus: boolean;
  readonly marksRequired: boolean;
  /** the content of the cell above the row headers */
  readonly corner: ReactNode;
  /** the name of the column whose menu is open; null: none */
  readonly menuOf: string | null;
  readonly onMenu: (name: string | null) => void;
  readonly menuEntries: (name: string) => readonly (readonly ColumnMenuEntry[])[];
  /** moves a column to the position of another one, from 0 */
  readonly onMove: (name: string, to: number) => void;
  readonly onFit: (name: string) => void;
}

/** The headings; they are not rendered again while rows scroll below them. */
export const GridHeader = memo(function GridHeader(props: GridHeaderProps) {
  const { id, headers, shown, renderedColumns, pinnedOffsets, sorting, focusCol, isActive } = props;
  const { takesFocus } = props;
  const { corner, menuOf, onMenu, menuEntries, onMove, onFit } = props;
  const [hoveredColumn, setHoveredColumn] = useState<string | null>(null);
  return (
    <div role="row" aria-rowindex={1} className={classes.head}>
      <div
        role="columnheader"
        aria-colindex={1}
        className={classes.corner}
        data-col={0}
        tabIndex={takesFocus ? -1 : undefined}
      >
        {corner}
      </div>
      {renderedColumns.map((col) => {
        const field = shown[col - 1];
        const header = headers[col - 1];
        return (
          field &&
          header && (
            <GridHeading
              key={field.name}
              id={`${id}-heading-${col}`}
              header={header}
              field={field}
              col={col}
              left={pinnedOffsets[col - 1]}
              sortedBy={sorting.length}
              isFocused={focusCol === col}
              takesFocus={takesFocus}
              isActive={isActive}
              marksRequired={props.marksRequired}
              onDropColumn={(name) => onMove(name, col - 1)}
              onPointerEnter={() => setHoveredColumn(field.name)}
              onFit={() => onFit(field.name)}
              onMenu={() => onMenu(field.name)}
              menu={
                <ColumnMenu
                  label={field.label}
                  isHovered={hoveredColumn === field.name}
                  isOpen={menuOf === field.name}
                  onOpenChange={(isOpen) => onMenu(isOpen ? field.name : null)}
                  entries={() => menuEntries(field.name)}
                />
              }
            />
          )
        );
      })}
    </div>
  );
});
