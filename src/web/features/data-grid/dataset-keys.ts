import type { GridKeyText } from '#messages/table-keys.ts';
import { SUGGESTION_KEY } from '#web/findings/finding.ts';
import { type KeyPress, matches, type Shortcut, typesCharacter } from '#web/ui/shortcuts.ts';
import { type Arrow, isArrow, type Jump, type FocusStep } from '#web/grid/grid-focus.ts';
import { type Binding, boundAction, MOVES } from '#web/grid/key-bindings.ts';
import type { EditorMode } from './editing.ts';

export type KeyAction =
  | { readonly do: 'step'; readonly step: FocusStep }
  | { readonly do: 'jump'; readonly to: Jump }
  /** moves the corner of the selected block */
  | { readonly do: 'extend'; readonly by: Arrow | Jump }
  | { readonly do: 'select'; readonly what: 'column' | 'row' | 'all' }
  | { readonly do: 'edit' }
  /** opens the editor with this text instead of the old one */
  | { readonly do: 'type'; readonly text: string }
  | { readonly do: 'clear' }
  | { readonly do: 'fill'; readonly to: 'down' | 'right' }
  /** puts the value of the focused cell into all selected ones; for a single cell of a new row, saves it */
  | { readonly do: 'fill-selection' }
  | { readonly do: 'today' }
  | { readonly do: 'toggle' }
  /** moves to a cell that cannot be saved */
  | { readonly do: 'problem'; readonly by: 1 | -1 }
  /** applies a check's suggestion to the focused cell */
  | { readonly do: 'suggestion' }
  | { readonly do: 'undo' }
  | { readonly do: 'redo' }
  | { readonly do: 'cancel' }
  | { readonly do: 'go-to-row' }
  /** opens the row's record as a form, or focuses it */
  | { readonly do: 'open-record' }
  | { readonly do: 'choose-row' }
  | { readonly do: 'delete-rows' };

/** A key and its action. */
interface GridBinding extends Binding<KeyAction> {
  /** the key of its description in the key sheet; missing: not listed */
  readonly description?: GridKeyText;
}

const step = (step: FocusStep, keys: Shortcut, description?: GridKeyText): GridBinding => ({
  keys: [keys],
  action: { do: 'step', step },
  ...(description === undefined ? {} : { description }),
});

const moving: readonly GridBinding[] = MOVES.map(([keys, by]) => ({
  keys: [keys],
  action: isArrow(by) ? { do: 'step', step: by } : { do: 'jump', to: by },
}));
const extending: readonly GridBinding[] = MOVES.map(([keys, by]) => ({
  keys: [keys.startsWith('mod+') ? `mod+shift+${keys.slice(4)}` : `shift+${keys}`],
  action: { do: 'extend', by },
}));
const arrows = moving.slice(0, 4);

const EXIT_KEYS: readonly GridBinding[] = [
  step('next', 'Tab', 'nextCell'),
  step('previous', 'shift+Tab', 'previousCell'),
  {
    keys: ['mod+Enter'],
    action: { do: 'fill-selection' },
    description: 'fillSelection',
  },
  { keys: ['Escape'], action: { do: 'cancel' }, description: 'cancel' },
];

/** Keys in the form of a record next to the grid; `open` also opens it from the grid. */
export const PANEL_KEYS = {
  open: 'mod+I',
  next: 'alt+ArrowDown',
  previous: 'alt+ArrowUp',
} as const satisfies Record<string, Shortcut>;

const PROBLEM_KEYS: readonly GridBinding[] = [
  { keys: ['F8'], action: { do: 'problem', by: 1 }, description: 'nextProblem' },
  { keys: ['shift+F8'], action: { do: 'problem', by: -1 }, description: 'previousProblem' },
];

/** Keys on a cell that is not being edited. */
export const CELL_KEYS: readonly GridBinding[] = [
  { keys: ['Enter', 'F2'], action: { do: 'edit' }, description: 'change' },
  step('back-enter', 'shift+Enter'),
  { keys: ['Delete', 'Backspace'], action: { do: 'clear' }, description: 'clear' },
  { keys: ['mod+D'], action: { do: 'fill', to: 'down' }, description: 'fillDown' },
  { keys: ['mod+R'], action: { do: 'fill', to: 'right' }, description: 'fillRight' },
  { keys: ['mod+;'], action: { do: 'today' }, description: 'now' },
  ...PROBLEM_KEYS,
  { keys: [SUGGESTION_KEY], action: { do: 'suggestion' }, description: 'suggestion' },
  { keys: ['mod+Z'], action: { do: 'undo' }, description: 'undo' },
  { keys: ['mod+Y', 'mod+shift+Z'], action: { do: 'redo' }, description: 'redo' },
  {
    keys: ['mod+Delete', 'mod+Backspace'],
    action: { do: 'delete-rows' },
    description: 'deleteRecords',
  },
  { keys: [PANEL_KEYS.open], action: { do: 'open-record' }, description: 'openAsForm' },
  { keys: ['mod+G'], action: { do: 'go-to-row' }, description: 'goToRow' },
];

export const SELECTION_KEYS: readonly GridBinding[] = [
  { keys: ['mod+ '], action: { do: 'select', what: 'column' }, description: 'selectColumn' },
  { keys: ['shift+ '], action: { do: 'select', what: 'row' }, description: 'selectRow' },
  { keys: ['mod+A'], action: { do: 'select', what: 'all' }, description: 'selectAll' },
];

/** Keys in an editor that end the editing. */
export const EDITOR_KEYS: readonly GridBinding[] = [
  ...EXIT_KEYS,
  step('enter', 'Enter', 'enter'),
  step('back-enter', 'shift+Enter'),
  ...PROBLEM_KEYS,
];

/** Opens the key sheet, as everywhere in the page; a text that begins with it is typed after F2. */
const SHOWS_KEYS = '?';

const ON_CELL = [...SELECTION_KEYS, ...extending, ...moving, ...EXIT_KEYS, ...CELL_KEYS];

/** The action of a key on a cell that is not being edited; `toggles` if Space switches its value. */
export function cellKey(event: KeyPress, toggles: boolean): KeyAction | null {
  if (event.key === ' ' && typesCharacter(event) && !event.shiftKey && toggles)
    return { do: 'toggle' };
  const bound = boundAction(ON_CELL, event);
  if (bound) return bound;
  if (event.key === SHOWS_KEYS) return null;
  return typesCharacter(event) ? { do: 'type', text: event.key } : null;
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

/** Whether an action applies if a heading has the focus, not a cell. */
export function isForHeaders(action: KeyAction): boolean {
  return ON_HEADERS.has(action.do);
}

const WITHOUT_RECORD: ReadonlySet<KeyAction['do']> = new Set([
  'step',
  'jump',
  'extend',
  'select',
  'cancel',
  'go-to-row',
  'undo',
  'redo',
  'problem',
]);

/** Whether an action is done with the record in the focused row. */
export function needsRecord(action: KeyAction): boolean {
  return !WITHOUT_RECORD.has(action.do);
}

/** The action of a key on a row header. */
export function rowHeaderKey(event: KeyPress): KeyAction | null {
  if (event.key === ' ' || matches('Enter', event)) return { do: 'choose-row' };
  if (matches('Delete', event)) return { do: 'delete-rows' };
  const bound = boundAction(ON_CELL, event);
  return bound && (isForHeaders(bound) || bound.do === 'open-record') ? bound : null;
}

/** The action of a key in an editor; null if the editor handles it, as one of several lines does Alt+Enter. */
export function editorKey(event: KeyPress, mode: EditorMode): KeyAction | null {
  return boundAction(EDITOR_KEYS, event) ?? (mode === 'typing' ? boundAction(arrows, event) : null);
}
