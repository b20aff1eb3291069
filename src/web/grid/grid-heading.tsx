import * as texts from '#messages/grid.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ValueTypeIcon } from '../fields/value-type-icon.tsx';
import type { ListField } from '../list-tools/list-field.ts';
import { SortDownIcon, SortUpIcon } from '../ui/icons.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './grid.module.css';
import { cellStyle, isAmount } from './grid-attributes.ts';
import type { GridTable } from './use-grid-table.ts';

interface GridHeadingProps {
  readonly id: string;
  readonly header: ReturnType<GridTable['getLeafHeaders']>[number];
  readonly field: ListField;
  /** the position of the column, from 1 */
  readonly col: number;
  /** the left offset in pixels at which it is pinned; undefined: it scrolls */
  readonly left: number | undefined;
  /** the number of columns by which the list is sorted */
  readonly sortedBy: number;
  readonly isFocused: boolean;
  /** whether the element itself has the focus; otherwise the grid refers to it by its id */
  readonly takesFocus: boolean;
  readonly isActive: boolean;
  readonly marksRequired: boolean;
  /** another column, by its name, is dropped on it */
  readonly onDropColumn: (name: string) => void;
  /** the pointer is over it */
  readonly onPointerEnter: () => void;
  /** makes the column as wide as its content */
  readonly onFit: () => void;
  readonly onMenu: () => void;
  readonly menu: ReactNode;
}

/** The data type of a heading that is being dragged: it names its column. */
const DRAGGED = 'application/x-indexdesk-column';

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

/** A column's heading: a click or Enter sorts, with Shift by several columns; its edge resizes, a drag moves. */
export function GridHeading(props: GridHeadingProps) {
  const { id, header, field, col, left, sortedBy, isFocused, takesFocus, isActive } = props;
  const { onDropColumn, onPointerEnter, onFit, onMenu, menu } = props;
  const { column } = header;
  const [isOver, setIsOver] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const focuses = takesFocus && isFocused && isActive;
  useEffect(() => {
    if (focuses) element.current?.focus({ preventScroll: true });
  }, [focuses]);
  const direction = column.getIsSorted();
  const isSortable = column.getCanSort();
  const resize = header.getResizeHandler();
  return (
    // The grid handles the keys of its headings.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={element}
      id={id}
      role="columnheader"
      aria-colindex={col + 1}
      aria-sort={direction ? ARIA_SORT[direction] : isSortable ? 'none' : undefined}
      tabIndex={takesFocus ? (isFocused ? 0 : -1) : undefined}
      data-col={col}
      data-focused={(isFocused && isActive) || undefined}
      data-number={isAmount(field) || undefined}
      data-sortable={isSortable || undefined}
      data-frozen={left !== undefined || undefined}
      className={classes.heading}
      style={cellStyle(col, left)}
      title={describe(field, isSortable)}
      data-over={isOver || undefined}
      onPointerEnter={onPointerEnter}
      onClick={column.getToggleSortingHandler()}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu();
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        onDropColumn(event.dataTransfer.getData(DRAGGED));
      }}
    >
      <ValueTypeIcon type={field.type} size={13} />
      <span
        className={shared.truncated}
        draggable
        onDragStart={(event) => event.dataTransfer.setData(DRAGGED, field.name)}
      >
        {field.label}
        {props.marksRequired && field.required && <span className={shared.wrong}> *</span>}
      </span>
      {direction === 'asc' && <SortUpIcon size={12} />}
      {direction === 'desc' && <SortDownIcon size={12} />}
      {direction && sortedBy > 1 && (
        <span className={classes.rank}>{column.getSortIndex() + 1}</span>
      )}
      {menu}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <span
        className={classes.edge}
        data-active={column.getIsResizing() || undefined}
        onMouseDown={resize}
        onTouchStart={resize}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={onFit}
      />
    </div>
  );
}

function describe(field: ListField, isSortable: boolean): string {
  const help = isSortable ? texts.sortableHeading : texts.heading;
  return [nameAndRules(field), field.description, help].filter(Boolean).join('\n');
}

function nameAndRules({ label, required, unique }: ListField): string {
  if (required) return unique ? texts.requiredUniqueColumn(label) : texts.requiredColumn(label);
  return unique ? texts.uniqueColumn(label) : label;
}
