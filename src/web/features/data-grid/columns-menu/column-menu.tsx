import { useState } from 'react';
import type { Column } from '#shared/definitions.ts';
import { SortDownIcon, SortUpIcon } from '#web/ui/icons.tsx';
import { ChevronDownIcon } from '#web/ui/icons.tsx';
import { floating } from '#web/ui/later-menu.tsx';
import { InLibrary, usePart } from '#web/ui/later.tsx';
import { PartMissing } from '#web/ui/part-missing.tsx';
import { GRID_LAYER } from '../grid-layer.ts';
import classes from './columns-menu.module.css';

/** What can be done with a column. */
export interface ColumnActs {
  readonly sort: (column: Column, down: boolean) => void;
  readonly filter: (column: Column) => void;
  readonly summarise: (column: Column) => void;
  readonly colour: (column: Column) => void;
  /** moves by so many places to the right */
  readonly move: (column: Column, by: number) => void;
  /** has this column and those before it stay; null: none */
  readonly freeze: (column: Column | null) => void;
  readonly hide: (column: Column) => void;
  /** makes it wider by so many pixels, or narrower */
  readonly widen: (column: Column, by: number) => void;
}

const WIDENED_BY = 24;

interface ColumnMenuProps {
  readonly column: Column;
  /** the place of the column, from 1, among so many */
  readonly col: number;
  readonly of: number;
  readonly frozen: boolean;
  /** whether the pointer is, or was last, over the heading */
  readonly near: boolean;
  readonly opened: boolean;
  readonly onOpened: (opened: boolean) => void;
  readonly acts: ColumnActs;
}

/** The menu of a heading: sorting, filtering, values, colours, place. */
export function ColumnMenu(props: ColumnMenuProps) {
  const { column, col, of, frozen, near, opened, onOpened, acts } = props;
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
  const [parts, again] = usePart(floating, near || opened);
  if (again && opened) {
    return (
      <>
        {caret(again)}
        <PartMissing place="over" onAgain={again} />
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
        portalProps={GRID_LAYER}
      >
        <Menu.Target>{caret()}</Menu.Target>
        <Menu.Dropdown
          data-grid-part
          onKeyDown={(event) => event.stopPropagation()}
          onClick={(event) => event.stopPropagation()}
          onMouseDown={(event) => event.stopPropagation()}
        >
          <Menu.Item
            leftSection={<SortUpIcon size={14} />}
            onClick={() => acts.sort(column, false)}
          >
            Sort ascending
          </Menu.Item>
          <Menu.Item
            leftSection={<SortDownIcon size={14} />}
            onClick={() => acts.sort(column, true)}
          >
            Sort descending
          </Menu.Item>
          <Menu.Item
            onClick={() => {
              setReturnsFocus(false);
              acts.filter(column);
            }}
          >
            Filter by this column
          </Menu.Item>
          <Menu.Item onClick={() => acts.summarise(column)}>Summary…</Menu.Item>
          <Menu.Item onClick={() => acts.colour(column)}>Colour cells…</Menu.Item>
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
          <Menu.Item onClick={() => acts.freeze(frozen ? null : column)}>
            {frozen ? 'Unfreeze columns' : 'Freeze columns up to here'}
          </Menu.Item>
          <Menu.Item disabled={of === 1} onClick={() => acts.hide(column)}>
            Hide the column
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </InLibrary>
  );
}
