import { type KeyboardEvent, type RefObject, useState } from 'react';
import { HEADING_MENU_KEY } from '#web/grid/heading-keys.ts';
import { isSortable, type ListField } from '#web/list-tools/list-field.ts';
import { matches } from '#web/ui/shortcuts.ts';

const MODIFIERS = ['Alt', 'Control', 'Meta', 'Shift'];

interface HeadingKeysOptions {
  /** the columns shown, in their order */
  readonly fields: readonly ListField[];
  /** whether ArrowUp leads from the rows to the headings now */
  readonly isAtFirstRow: boolean;
  readonly onSort: (name: string, adding: boolean) => void;
  readonly scroller: RefObject<HTMLElement | null>;
}

/**
 * The keyboard on the headings of the list, which is one tab stop: ArrowUp leads from the first row to them, the other
 * arrows along them and back, Enter sorts, and the key of the data grid opens the menu.
 */
export function useHeadingKeys({ fields, isAtFirstRow, onSort, scroller }: HeadingKeysOptions) {
  const [place, setPlace] = useState<number | null>(null);
  const [menu, setMenu] = useState<string | null>(null);
  const at = place === null ? null : Math.min(place, fields.length - 1);
  const field = at === null ? undefined : fields[at];

  const goTo = (next: number | null) => {
    setPlace(next);
    if (next === null) return;
    const headings = scroller.current?.querySelectorAll('[data-heading]');
    headings?.item(next).scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  /** @returns whether the key was one of the headings */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    // A menu within the list handles its keys itself.
    if (event.target !== scroller.current || MODIFIERS.includes(event.key)) return false;
    if (at === null || !field) {
      if (!isAtFirstRow || !matches('ArrowUp', event)) return false;
      goTo(0);
    } else if (matches(HEADING_MENU_KEY, event) || event.key === 'ContextMenu') {
      setMenu(field.name);
    } else if (matches('Enter', event) || matches('shift+Enter', event)) {
      if (isSortable(field)) onSort(field.name, event.shiftKey);
    } else if (matches('ArrowLeft', event)) goTo(Math.max(at - 1, 0));
    else if (matches('ArrowRight', event)) goTo(Math.min(at + 1, fields.length - 1));
    else if (matches('Home', event)) goTo(0);
    else if (matches('End', event)) goTo(fields.length - 1);
    else if (matches('ArrowDown', event) || matches('Escape', event)) goTo(null);
    // At the headings it leads no further.
    else if (!matches('ArrowUp', event)) {
      goTo(null);
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return {
    /** the place of the heading with the keyboard, from 0; null: a row has it */
    at,
    /** the name of the column whose menu is open; null: none */
    menu,
    onMenu: setMenu,
    /** a press on a row takes the keyboard there */
    leave: () => setPlace(null),
    onKeyDown,
  };
}
