import { isNumber } from '#shared/values/registry.ts';
import type { Header } from '@tanstack/react-table';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { HEADING_MENU_KEY } from '#web/grid/heading-keys.ts';
import { SortDownIcon, SortUpIcon } from '#web/ui/icons.tsx';
import { matches } from '#web/ui/shortcuts.ts';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import type { features } from './columns/column-definitions.ts';
import classes from './data-grid.module.css';
import type { Row } from './rows/use-rows.ts';
import { placeInRow } from '#web/grid/place-in-row.ts';

interface GridHeaderProps {
  readonly header: Header<typeof features, Row>;
  readonly column: Column;
  readonly col: number;
  /** pixels from the left edge at which it stays; undefined: it scrolls */
  readonly left: number | undefined;
  readonly sort: readonly string[];
  readonly focused: boolean;
  readonly active: boolean;
  readonly onSort: (column: Column, adding: boolean) => void;
  /** another column, by its name, is dropped here */
  readonly onPut: (name: string) => void;
  /** the pointer is over it */
  readonly onNear: () => void;
  /** makes the column as wide as what it holds */
  readonly onFit: () => void;
  readonly onMenu: () => void;
  readonly menu: ReactNode;
}

/** Under this type a heading that is being dragged names its column. */
const DRAGGED = 'application/x-indexdesk-column';

/** A column's heading: a click or Enter sorts, with Shift beside other columns; its edge resizes. */
export function GridHeader(props: GridHeaderProps) {
  const { header, column, col, left, sort, focused, active, onSort } = props;
  const { onPut, onNear, onFit, onMenu, menu } = props;
  const [over, setOver] = useState(false);
  const cell = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused && active) cell.current?.focus({ preventScroll: true });
  }, [focused, active]);
  const rank = sort.findIndex((key) => key.replace(/^-/, '') === column.name);
  const down = sort[rank]?.startsWith('-') ?? false;
  const resize = header.getResizeHandler();
  return (
    // The keys of the grid sort too: they are handled where all its keys are.
    <div
      ref={cell}
      role="columnheader"
      aria-colindex={col + 1}
      aria-sort={rank < 0 ? 'none' : down ? 'descending' : 'ascending'}
      tabIndex={focused ? 0 : -1}
      data-col={col}
      data-focused={(focused && active) || undefined}
      data-number={isNumber(column) || undefined}
      data-frozen={left !== undefined || undefined}
      className={classes.heading}
      style={placeInRow(col, left)}
      title={describe(column)}
      data-over={over || undefined}
      onPointerEnter={onNear}
      onClick={(event) => onSort(column, event.shiftKey)}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || !matches(HEADING_MENU_KEY, event)) return;
        event.preventDefault();
        event.stopPropagation();
        onMenu();
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu();
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        onPut(event.dataTransfer.getData(DRAGGED));
      }}
    >
      <ValueTypeIcon type={column.type} size={13} />
      <span
        className={classes.headingText}
        draggable
        onDragStart={(event) => event.dataTransfer.setData(DRAGGED, column.name)}
      >
        {column.label}
        {column.required && <span className={classes.required}> *</span>}
      </span>
      {rank >= 0 && (down ? <SortDownIcon size={12} /> : <SortUpIcon size={12} />)}
      {rank >= 0 && sort.length > 1 && <span className={classes.rank}>{rank + 1}</span>}
      {menu}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <span
        className={classes.edge}
        data-active={header.column.getIsResizing() || undefined}
        onMouseDown={resize}
        onTouchStart={resize}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={onFit}
      />
    </div>
  );
}

function describe({ label, description, required, unique }: Column): string {
  const rules = [required && 'required', unique && 'unique'].filter(Boolean).join(', ');
  return [
    rules ? `${label} (${rules})` : label,
    description,
    'Click to sort, with Shift by several columns. Drag to move. Right click for more.',
  ]
    .filter(Boolean)
    .join('\n');
}
