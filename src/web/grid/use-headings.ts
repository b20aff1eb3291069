import { type KeyboardEvent, type RefObject, useMemo, useState } from 'react';
import type { ListField } from '../list-tools/list-field.ts';
import { matches } from '../ui/shortcuts.ts';
import { useLatest } from '../ui/use-latest.ts';
import type { ColumnMenuEntry } from './column-menu.tsx';
import { columnMenuEntries, moveColumn } from './column-menu-entries.tsx';
import { fittingWidth } from './fit-column.ts';
import { HEADING_MENU_KEY } from './key-bindings.ts';
import type { GridTable } from './use-grid-table.ts';

interface HeadingsOptions<Field extends ListField> {
  readonly table: GridTable;
  /** the columns that are shown, in their order */
  readonly shown: readonly Field[];
  /** the entries that this list adds to the menus */
  readonly menuEntries: (field: Field) => readonly ColumnMenuEntry[];
  readonly onFilter: (field: Field) => void;
  /** the texts of a column in the loaded rows, for its width */
  readonly textsOf: (field: Field) => readonly string[];
  readonly scroller: RefObject<HTMLElement | null>;
}

/** The menus, widths and keys of the headings. */
export function useHeadings<Field extends ListField>(options: HeadingsOptions<Field>) {
  const { table, scroller } = options;
  const [menuOf, setMenuOf] = useState<string | null>(null);
  const latest = useLatest(options);
  // Stable functions, so that the headings are rendered only when they change.
  const actions = useMemo(() => {
    const fieldNamed = (name: string) => latest.current.shown.find((field) => field.name === name);
    const widthOf = (field: Field) =>
      fittingWidth(field.label, latest.current.textsOf(field), scroller.current);
    return {
      menuEntries: (name: string) => {
        const field = fieldNamed(name);
        if (!field) return [];
        return columnMenuEntries({
          table: latest.current.table,
          field,
          onFilter: latest.current.onFilter,
          more: latest.current.menuEntries(field),
          fittingWidth: () => widthOf(field),
        });
      },
      onMove: (name: string, to: number) => moveColumn(latest.current.table, name, to),
      onFit: (name: string) => {
        const field = fieldNamed(name);
        if (!field) return;
        latest.current.table.setColumnSizing((before) => ({ ...before, [name]: widthOf(field) }));
      },
    };
  }, [latest, scroller]);

  /** Handles the keys on a heading. @returns whether the key was handled */
  const onKeyDown = (event: KeyboardEvent, heading: ListField | undefined): boolean => {
    if (!heading || event.nativeEvent.isComposing) return false;
    const isGridOrHeading =
      event.target === scroller.current ||
      (event.target instanceof Element && event.target.matches('[role=columnheader]'));
    if (!isGridOrHeading) return false;
    const column = table.getColumn(heading.name);
    if (matches(HEADING_MENU_KEY, event) || event.key === 'ContextMenu') setMenuOf(heading.name);
    else if (matches('Enter', event) || matches('shift+Enter', event)) {
      if (column?.getCanSort()) column.toggleSorting(undefined, event.shiftKey);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { onKeyDown, headProps: { menuOf, onMenu: setMenuOf, ...actions } };
}
