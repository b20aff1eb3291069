import { isNumber } from '#shared/values/registry.ts';
import type { Header } from '@tanstack/react-table';
import { useState } from 'react';
import { type ColumnActs, ColumnMenu } from '#web/grid/column-menu.tsx';
import { SortDownIcon, SortUpIcon } from '#web/ui/icons.tsx';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import classes from './revision-grid.module.css';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { isSortable, type ListField } from '#web/list-tools/list-field.ts';
import type { features, Row } from './revision-table.ts';
import { keyLabel } from '#web/ui/shortcuts.ts';
import type { SelectionActions } from './use-selection.ts';
import { directionOf } from '#web/grid/sorting.ts';

interface GridHeaderProps {
  readonly id: string;
  /** whether it has the keyboard */
  readonly isFocused: boolean;
  readonly isMenuOpen: boolean;
  readonly onMenuOpen: (isOpen: boolean) => void;
  readonly header: Header<typeof features, Row>;
  readonly field: ListField;
  readonly place: number;
  readonly sort: readonly string[];
  readonly onSort: (name: string, adding: boolean) => void;
  readonly acts: ColumnActs<ListField>;
  /** how many columns there are */
  readonly of: number;
}

const ARIA = { up: 'ascending', down: 'descending' } as const;

/** A column's heading: a click sorts, with Shift beside other columns; its edge resizes. */
export function GridHeader(props: GridHeaderProps) {
  const { id, isFocused, isMenuOpen, onMenuOpen, header, field, place, of, sort, onSort, acts } =
    props;
  // The menu is built for the headings that the pointer reaches; all of them would slow down the first drawing.
  const [isNear, setIsNear] = useState(false);
  const direction = directionOf(sort, field.name);
  const sortable = isSortable(field);
  const rank = sort.findIndex((key) => key === field.name || key === `-${field.name}`);
  const resize = header.getResizeHandler();
  return (
    // The grid is one tab stop and handles the keys of its headings.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="columnheader"
      data-heading
      data-focused={isFocused || undefined}
      aria-colindex={place}
      aria-sort={direction ? ARIA[direction] : sortable ? 'none' : undefined}
      data-sortable={sortable || undefined}
      className={classes.heading}
      data-number={isAmount(field) || undefined}
      style={{ width: header.getSize() }}
      title={
        sortable
          ? `${field.label}: click to sort, with Shift to sort by several; right click for more`
          : `${field.label}: right click for more`
      }
      onPointerEnter={() => setIsNear(true)}
      onClick={(event) => {
        if (sortable) onSort(field.name, event.shiftKey);
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenuOpen(true);
      }}
    >
      <ValueTypeIcon type={field.type} size={13} />
      <span className={classes.headingText}>{field.label}</span>
      {direction === 'up' && <SortUpIcon size={12} />}
      {direction === 'down' && <SortDownIcon size={12} />}
      {direction && sort.length > 1 && <span className={classes.rank}>{rank + 1}</span>}
      <ColumnMenu
        column={field}
        col={place - 1}
        of={of}
        near={isNear}
        opened={isMenuOpen}
        onOpened={onMenuOpen}
        sortable={sortable}
        acts={acts}
      />
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <span
        className={classes.edge}
        data-active={header.column.getIsResizing() || undefined}
        onMouseDown={resize}
        onTouchStart={resize}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={() => acts.fit(field)}
      />
    </div>
  );
}

interface SelectAllProps {
  readonly selected: boolean;
  readonly some: boolean;
  readonly actions: Pick<SelectionActions, 'all' | 'clear'>;
}

/** Selects all that match, or none; by keys that is Ctrl+A and Escape. */
export function SelectAll({ selected, some, actions }: SelectAllProps) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={selected ? 'true' : some ? 'mixed' : 'false'}
      title={selected ? 'Select none' : `Select all that match  ${keyLabel('mod+A')}`}
      tabIndex={-1}
      className={classes.selectAll}
      onClick={selected ? actions.clear : actions.all}
    >
      <span
        className={classes.box}
        data-checked={selected || undefined}
        data-mixed={(some && !selected) || undefined}
        aria-hidden="true"
      />
      <VisuallyHidden>Select all</VisuallyHidden>
    </button>
  );
}

/** Whether values are aligned at their end; the id of a revision is a name and no amount. */
export function isAmount(field: ListField): boolean {
  return isNumber(field) && field.kind === 'field';
}
