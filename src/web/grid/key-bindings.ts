import * as texts from '#messages/grid.ts';
import type { KeyInWords } from '../ui/key-sheet.tsx';
import { type KeyPress, matches, type Shortcut } from '../ui/shortcuts.ts';
import type { Arrow, Jump } from './grid-focus.ts';

/** Keys with the same action. */
export interface Binding<Action> {
  readonly keys: readonly Shortcut[];
  readonly action: Action;
}

/** The action of a key; null: it has none. */
export function boundAction<Action>(
  bindings: readonly Binding<Action>[],
  event: KeyPress,
): Action | null {
  return (
    bindings.find(({ keys }) => keys.some((shortcut) => matches(shortcut, event)))?.action ?? null
  );
}

/** The keys that move the focus in a grid of cells. */
export const MOVES: readonly (readonly [Shortcut, Arrow | Jump])[] = [
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['Home', 'row-start'],
  ['End', 'row-end'],
  ['PageUp', 'page-up'],
  ['PageDown', 'page-down'],
  ['mod+ArrowUp', 'top'],
  ['mod+ArrowDown', 'bottom'],
  ['mod+ArrowLeft', 'row-start'],
  ['mod+ArrowRight', 'row-end'],
  ['mod+Home', 'first'],
  ['mod+End', 'last'],
];

/** The keys that move the focus in a list of whole rows. */
export const ROW_MOVES: readonly (readonly [Shortcut, Arrow | Jump])[] = [
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['PageUp', 'page-up'],
  ['PageDown', 'page-down'],
  ['Home', 'top'],
  ['End', 'bottom'],
];

/** Opens the menu of a column's heading; so does the menu key of a keyboard. */
export const HEADING_MENU_KEY: Shortcut = 'alt+ArrowDown';

/** The keys on a heading, for the sheet of keys. @param menu what the menu offers */
export const headingKeySheet = (menu: string): readonly KeyInWords[] => [
  { keys: 'Enter', does: texts.keySorts },
  { keys: HEADING_MENU_KEY, does: texts.keyOpensMenu(menu) },
];
