import { useState } from 'react';
import { ChevronDownIcon, SortDownIcon, SortUpIcon } from '../ui/icons.tsx';
import { floating } from '../ui/lazy-menu.tsx';
import { InLibrary, useLazyModule } from '../ui/lazy-component.tsx';
import { LazyModuleError } from '../ui/lazy-module-error.tsx';
import classes from './column-menu.module.css';

/** What can be done with a column. A list that lacks an optional one shows no item for it. */
export interface ColumnActs<Column> {
  readonly sort: (column: Column, down: boolean) => void;
  readonly filter: (column: Column) => void;
  readonly summarise?: (column: Column) => void;
  readonly colour?: (column: Column) => void;
  /** moves by so many places to the right */
  readonly move: (column: Column, by: number) => void;
  /** has this column and those before it stay; null: none */
  readonly freeze?: (column: Column | null) => void;
  readonly hide: (column: Column) => void;
  /** makes it wider by so many pixels, or narrower */
  readonly widen: (column: Column, by: number) => void;
  /** makes it as wide as its heading and the texts of the rows that are read */
  readonly fit: (column: Column) => void;
}

const WIDENED_BY = 24;

interface ColumnMenuProps<Column> {
  readonly column: Column;
  /** the place of the column, from 1, among so many */
  readonly col: number;
  readonly of: number;
  /** whether it is the last one that stays while the others scroll */
  readonly frozen?: boolean;
  /** whether the pointer is, or was last, over the heading */
  readonly near: boolean;
  readonly opened: boolean;
  readonly onOpened: (opened: boolean) => void;
  /** whether the list can be sorted by the column */
  readonly sortable?: boolean;
  readonly acts: ColumnActs<Column>;
  /** the selector of the element in which the menu is drawn; undefined: the page's body */
  readonly layer?: { readonly target: string };
}

/** The menu of a heading: sorting, filtering, values, colours, place. */
export function ColumnMenu<Column extends { readonly label: string }>(
  props: ColumnMenuProps<Column>,
) {
  const { column, col, of, frozen = false, near, opened, onOpened, acts, layer } = props;
  const { sortable = true } = props;
  const { summarise, colour, freeze } = acts;
  // The condition of a filter keeps the focus; every other item returns it to the heading.
  const [returnsFocus, setReturnsFocus] = useState(true);
  if (opened && !returnsFocus) setReturnsFocus(true);
  const caret = (onPress?: () => void) => (
    <button
      type="button"
      tabIndex={-1}
      className={classes.caret}
      aria-label={`Menu of ${column.label}`}
      onMouseDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation();
        onPress?.();
      }}
    >
      <ChevronDownIcon size={13} />
    </button>
  );
  // A menu for each heading would take long when the grid is first drawn.
  const [parts, again] = useLazyModule(floating, near || opened);
  if (again && opened) {
    return (
      <>
        {caret(again)}
        <LazyModuleError place="over" onAgain={again} />
      </>
    );
  }
  if (!parts || (!near && !opened)) return caret(() => onOpened(true));
  const { Menu } = parts;
  return (
    <InLibrary>
      <Menu
        opened={opened}
        onChange={onOpened}
        returnFocus={returnsFocus}
        position="bottom-start"
        {...(layer && { portalProps: layer })}
      >
        <Menu.Target>{caret()}</Menu.Target>
        <Menu.Dropdown
          data-grid-part
          onKeyDown={(event) => event.stopPropagation()}
          onClick={(event) => event.stopPropagation()}
          onMouseDown={(event) => event.stopPropagation()}
        >
          {sortable && (
            <Menu.Item
              leftSection={<SortUpIcon size={14} />}
              onClick={() => acts.sort(column, false)}
            >
              Sort ascending
            </Menu.Item>
          )}
          {sortable && (
            <Menu.Item
              leftSection={<SortDownIcon size={14} />}
              onClick={() => acts.sort(column, true)}
            >
              Sort descending
            </Menu.Item>
          )}
          <Menu.Item
            onClick={() => {
              setReturnsFocus(false);
              acts.filter(column);
            }}
          >
            Filter by this column
          </Menu.Item>
          {summarise && <Menu.Item onClick={() => summarise(column)}>Summary…</Menu.Item>}
          {colour && <Menu.Item onClick={() => colour(column)}>Colour cells…</Menu.Item>}
          <Menu.Divider />
          <Menu.Item disabled={col === 1} onClick={() => acts.move(column, -1)}>
            Move to the left
          </Menu.Item>
          <Menu.Item disabled={col === of} onClick={() => acts.move(column, 1)}>
            Move to the right
          </Menu.Item>
          <Menu.Item closeMenuOnClick={false} onClick={() => acts.widen(column, WIDENED_BY)}>
            Wider
          </Menu.Item>
          <Menu.Item closeMenuOnClick={false} onClick={() => acts.widen(column, -WIDENED_BY)}>
            Narrower
          </Menu.Item>
          <Menu.Item onClick={() => acts.fit(column)}>Fit the width</Menu.Item>
          {freeze && (
            <Menu.Item onClick={() => freeze(frozen ? null : column)}>
              {frozen ? 'Unfreeze columns' : 'Freeze columns up to here'}
            </Menu.Item>
          )}
          <Menu.Item disabled={of === 1} onClick={() => acts.hide(column)}>
            Hide the column
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </InLibrary>
  );
}
