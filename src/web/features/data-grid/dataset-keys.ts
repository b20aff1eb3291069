import type { KeySection } from '#web/ui/key-sheet.tsx';
import { matches, type Shortcut } from '#web/ui/shortcuts.ts';
import { type Arrow, isArrow, type Jump, type Step } from '#web/grid/grid-focus.ts';
import {
  type Binding,
  boundAction,
  headingKeysInWords,
  type KeyPress,
  keysInWords,
  MOVES,
} from '#web/grid/key-bindings.ts';
import type { EditorMode } from './editing.ts';
import { CALENDAR_KEY } from '#web/fields/date-editor.tsx';

export type KeyAction =
  | { readonly do: 'step'; readonly step: Step }
  | { readonly do: 'jump'; readonly to: Jump }
  /** moves the corner of the selected block */
  | { readonly do: 'extend'; readonly by: Arrow | Jump }
  | { readonly do: 'select'; readonly what: 'column' | 'row' | 'all' }
  | { readonly do: 'edit' }
  /** opens the editor with this text in the place of the old one */
  | { readonly do: 'type'; readonly text: string }
  | { readonly do: 'clear' }
  | { readonly do: 'fill'; readonly to: 'down' | 'right' }
  /** puts the value of the focused cell into all selected ones; in a single one of a new row, saves it */
  | { readonly do: 'fill-selection' }
  | { readonly do: 'today' }
  | { readonly do: 'toggle' }
  /** goes to what cannot be saved */
  | { readonly do: 'problem'; readonly by: 1 | -1 }
  | { readonly do: 'undo' }
  | { readonly do: 'redo' }
  | { readonly do: 'cancel' }
  | { readonly do: 'go-to-row' }
  /** opens the row's record as a form, or goes into it */
  | { readonly do: 'open-record' }
  | { readonly do: 'choose-row' }
  | { readonly do: 'delete-rows' };

const step = (step: Step, keys: Shortcut, does?: string): Binding<KeyAction> => ({
  keys: [keys],
  action: { do: 'step', step },
  ...(does === undefined ? {} : { does }),
});

const moving: readonly Binding<KeyAction>[] = MOVES.map(([keys, by]) => ({
  keys: [keys],
  action: isArrow(by) ? { do: 'step', step: by } : { do: 'jump', to: by },
}));
const extending: readonly Binding<KeyAction>[] = MOVES.map(([keys, by]) => ({
  keys: [keys.startsWith('mod+') ? `mod+shift+${keys.slice(4)}` : `shift+${keys}`],
  action: { do: 'extend', by },
}));
const arrows = moving.slice(0, 4);

const LEAVES: readonly Binding<KeyAction>[] = [
  step('next', 'Tab', 'Next cell'),
  step('previous', 'shift+Tab', 'Cell before'),
  {
    keys: ['mod+Enter'],
    action: { do: 'fill-selection' },
    does: 'Fill all selected cells with this value; save a new row',
  },
  { keys: ['Escape'], action: { do: 'cancel' }, does: 'Cancel editing' },
];

/** In the form of a record beside the grid; `open` also opens it from the grid. */
export const PANEL_KEYS = {
  open: 'mod+I',
  next: 'alt+ArrowDown',
  previous: 'alt+ArrowUp',
} as const satisfies Record<string, Shortcut>;

const ONE_CHARACTER = /^.$/u;

const PROBLEMS: readonly Binding<KeyAction>[] = [
  { keys: ['F8'], action: { do: 'problem', by: 1 }, does: 'Next cell that is not saved' },
  { keys: ['shift+F8'], action: { do: 'problem', by: -1 }, does: 'The one before' },
];

/** On a cell that is not being edited. */
const CELL: readonly Binding<KeyAction>[] = [
  { keys: ['Enter', 'F2'], action: { do: 'edit' }, does: 'Change what is in the cell' },
  step('back-enter', 'shift+Enter'),
  { keys: ['Delete', 'Backspace'], action: { do: 'clear' }, does: 'Clear the selected cells' },
  { keys: ['mod+D'], action: { do: 'fill', to: 'down' }, does: 'Fill down' },
  { keys: ['mod+R'], action: { do: 'fill', to: 'right' }, does: 'Fill to the right' },
  { keys: ['mod+;'], action: { do: 'today' }, does: 'Insert today’s date, or the time' },
  ...PROBLEMS,
  { keys: ['mod+Z'], action: { do: 'undo' }, does: 'Undo the last change' },
  { keys: ['mod+Y', 'mod+shift+Z'], action: { do: 'redo' }, does: 'Redo it' },
  {
    keys: ['mod+Delete', 'mod+Backspace'],
    action: { do: 'delete-rows' },
    does: 'Delete the chosen records',
  },
  { keys: [PANEL_KEYS.open], action: { do: 'open-record' }, does: 'Open the row as a form' },
  { keys: ['mod+G'], action: { do: 'go-to-row' }, does: 'Go to a row by its number' },
];

const SELECTS: readonly Binding<KeyAction>[] = [
  { keys: ['mod+ '], action: { do: 'select', what: 'column' }, does: 'Select the column' },
  { keys: ['shift+ '], action: { do: 'select', what: 'row' }, does: 'Select the row' },
  { keys: ['mod+A'], action: { do: 'select', what: 'all' }, does: 'Select all cells' },
];

/** In an editor: the keys that end it. */
const EDITOR: readonly Binding<KeyAction>[] = [
  ...LEAVES,
  step('enter', 'Enter', 'Enter and go down'),
  step('back-enter', 'shift+Enter'),
  ...PROBLEMS,
];

/** Shows the keys, as everywhere in the page; a text that begins with it is typed after F2. */
const SHOWS_KEYS = '?';

const ON_CELL = [...SELECTS, ...extending, ...moving, ...LEAVES, ...CELL];

/** What a key does on a cell that is not being edited; `toggles` where Space switches its value. */
export function cellKey(event: KeyPress, toggles: boolean): KeyAction | null {
  const bare = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === ' ' && bare && !event.shiftKey && toggles) return { do: 'toggle' };
  const bound = boundAction(ON_CELL, event);
  if (bound) return bound;
  if (event.key === SHOWS_KEYS) return null;
  return bare && ONE_CHARACTER.test(event.key) ? { do: 'type', text: event.key } : null;
}

const ON_HEADERS: ReadonlySet<KeyAction['do']> = new Set([
  'step',
  'jump',
  'cancel',
  'go-to-row',
  'undo',
  'redo',
  'problem',
  'delete-rows',
]);

/** Whether an action has a meaning where no cell is focused but a heading. */
export function isForHeaders(action: KeyAction): boolean {
  return ON_HEADERS.has(action.do);
}

/** What a key does on a row header. */
export function rowHeaderKey(event: KeyPress): KeyAction | null {
  if (event.key === ' ' || matches('Enter', event)) return { do: 'choose-row' };
  if (matches('Delete', event)) return { do: 'delete-rows' };
  const bound = boundAction(ON_CELL, event);
  return bound && (isForHeaders(bound) || bound.do === 'open-record') ? bound : null;
}

/**
 * What a key does in an editor; null where it belongs to the editor.
 * @param lines whether the editor takes several lines: then Alt+Enter is its own
 */
export function editorKey(event: KeyPress, mode: EditorMode): KeyAction | null {
  return boundAction(EDITOR, event) ?? (mode === 'typing' ? boundAction(arrows, event) : null);
}

/** The keys of the grid for the sheet of keys. */
export const GRID_KEYS: readonly KeySection[] = [
  {
    title: 'Moving',
    keys: [
      { keys: 'ArrowDown', does: 'Next row, as the other arrows do; Ctrl goes to the edge' },
      { keys: 'Home', does: 'First cell of the row, End the last; with Ctrl of the table' },
      { keys: 'PageDown', does: 'A page down, PageUp up' },
      ...keysInWords(LEAVES.slice(0, 2)),
      ...keysInWords(CELL.slice(-1)),
    ],
  },
  {
    title: 'Selecting',
    keys: [
      { keys: 'shift+ArrowDown', does: 'Extend the selection; Shift goes with all keys that move' },
      ...keysInWords(SELECTS),
      { keys: 'mod+C', does: 'Copy the selection' },
      { keys: 'mod+V', does: 'Paste, with a look at it first' },
    ],
  },
  {
    title: 'On a heading',
    keys: headingKeysInWords('filter, summary, colours, place, width'),
  },
  {
    title: 'Editing',
    keys: [
      { keys: 'F2', does: 'Change what is in the cell; any letter or sign but ? replaces it' },
      ...keysInWords(EDITOR.slice(2, -PROBLEMS.length)),
      { keys: 'alt+Enter', does: 'A new line within a text' },
      { keys: CALENDAR_KEY, does: 'Open the calendar of a date' },
      ...keysInWords(CELL.slice(2, -2)),
    ],
  },
  {
    title: 'One record as a form',
    keys: [
      ...keysInWords(CELL.slice(-2, -1)),
      { keys: PANEL_KEYS.next, does: 'The next record of the list, ↑ the one before' },
      { keys: 'Escape', does: 'Back to the grid; the form stays' },
    ],
  },
];
