import type { KeyInWords } from '../ui/key-sheet.tsx';
import type { Shortcut } from '../ui/shortcuts.ts';

/** Opens the menu of a column's heading; the menu key does the same where there is one. */
export const HEADING_MENU_KEY: Shortcut = 'alt+ArrowDown';

/** The keys on a heading of any list in words. @param menu what is in its menu */
export const headingKeysInWords = (menu: string): readonly KeyInWords[] => [
  { keys: 'Enter', does: 'Sort by the column; Shift adds it to the order' },
  { keys: HEADING_MENU_KEY, does: `Its menu: ${menu}` },
];
