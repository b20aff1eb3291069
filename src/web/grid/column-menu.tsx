import * as texts from '#messages/grid.ts';
import { Fragment, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { ChevronDownIcon } from '../ui/icons.tsx';
import { menuModule, onUserLeaves } from '../ui/lazy-menu.tsx';
import { LazyLibraryProvider, useLazyModule } from '../ui/lazy-component.tsx';
import { LazyModuleError } from '../ui/lazy-module-error.tsx';
import classes from './column-menu.module.css';
import { gridLayer } from './grid-attributes.ts';

/** An entry in the menu of a heading. */
export interface ColumnMenuEntry {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly onSelect: () => void;
  readonly isDisabled?: boolean;
  /** the menu stays open, because the entry is usually chosen several times */
  readonly staysOpen?: boolean;
  /** the entry moves the focus elsewhere; after other entries it returns to the heading */
  readonly movesFocus?: boolean;
}

interface ColumnMenuProps {
  /** the label of the column */
  readonly label: string;
  /** whether the pointer is or was last over the heading */
  readonly isHovered: boolean;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** groups of entries, separated by lines; called when the menu is rendered */
  readonly entries: () => readonly (readonly ColumnMenuEntry[])[];
}

/** The menu of a heading. */
export function ColumnMenu(props: ColumnMenuProps) {
  const { label, isHovered, isOpen, onOpenChange, entries } = props;
  const [returnsFocus, setReturnsFocus] = useState(true);
  if (isOpen && !returnsFocus) setReturnsFocus(true);
  const caret = (onPress?: () => void) => (
    <button
      type="button"
      tabIndex={-1}
      className={classes.caret}
      aria-label={texts.menuOf(label)}
      onMouseDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation();
        onPress?.();
      }}
    >
      <ChevronDownIcon size={13} />
    </button>
  );
  // A menu for each heading would delay the first rendering of the grid.
  const [parts, retry] = useLazyModule(menuModule, isHovered || isOpen);
  const isLoading = isOpen && !parts;
  const cancel = useEffectEvent(() => onOpenChange(false));
  useEffect(() => (isLoading ? onUserLeaves(() => cancel()) : undefined), [isLoading]);
  if (retry && isOpen) {
    return (
      <>
        {caret(retry)}
        <LazyModuleError layout="overlay" onRetry={retry} />
      </>
    );
  }
  if (!parts || (!isHovered && !isOpen)) return caret(() => onOpenChange(true));
  const { Menu } = parts;
  return (
    <LazyLibraryProvider>
      <Menu
        opened={isOpen}
        onChange={onOpenChange}
        returnFocus={returnsFocus}
        position="bottom-start"
        portalProps={{ target: gridLayer() }}
      >
        <Menu.Target>{caret()}</Menu.Target>
        <Menu.Dropdown
          onKeyDown={(event) => event.stopPropagation()}
          onClick={(event) => event.stopPropagation()}
          onMouseDown={(event) => event.stopPropagation()}
        >
          {entries().map((group, index) => (
            <Fragment key={group[0]?.label}>
              {index > 0 && <Menu.Divider />}
              {group.map((entry) => (
                <Menu.Item
                  key={entry.label}
                  leftSection={entry.icon}
                  disabled={entry.isDisabled ?? false}
                  closeMenuOnClick={!entry.staysOpen}
                  onClick={() => {
                    if (entry.movesFocus) setReturnsFocus(false);
                    entry.onSelect();
                  }}
                >
                  {entry.label}
                </Menu.Item>
              ))}
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
    </LazyLibraryProvider>
  );
}
