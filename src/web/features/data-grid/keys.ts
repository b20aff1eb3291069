import { matches } from '#web/ui/shortcuts.ts';
import type { EditorMode, Step } from './grid-state.ts';

export type KeyAction =
  | { readonly do: 'step'; readonly step: Step }
  | { readonly do: 'jump'; readonly to: Jump }
  | { readonly do: 'edit' }
  /** opens the editor with this text in the place of the old one */
  | { readonly do: 'type'; readonly text: string }
  | { readonly do: 'clear' }
  | { readonly do: 'toggle' }
  | { readonly do: 'restore' }
  | { readonly do: 'cancel' }
  | { readonly do: 'save-row' }
  | { readonly do: 'select-row' }
  | { readonly do: 'delete-rows' };

export type Jump =
  | 'row-start'
  | 'row-end'
  | 'page-up'
  | 'page-down'
  | 'top'
  | 'bottom'
  | 'first'
  | 'last';

interface Binding {
  readonly keys: readonly string[];
  readonly action: KeyAction;
}

const step = (step: Step, ...keys: string[]): Binding => ({ keys, action: { do: 'step', step } });
const jump = (to: Jump, ...keys: string[]): Binding => ({ keys, action: { do: 'jump', to } });

const MOVES: readonly Binding[] = [
  step('up', 'ArrowUp'),
  step('down', 'ArrowDown'),
  step('left', 'ArrowLeft'),
  step('right', 'ArrowRight'),
];

const LEAVES: readonly Binding[] = [
  step('next', 'Tab'),
  step('previous', 'shift+Tab'),
  { keys: ['mod+Enter'], action: { do: 'save-row' } },
  { keys: ['Escape'], action: { do: 'cancel' } },
];

const ONE_CHARACTER = /^.$/u;

/** On a cell that is not being edited. */
const CELL: readonly Binding[] = [
  ...MOVES,
  ...LEAVES,
  jump('row-start', 'Home'),
  jump('row-end', 'End'),
  jump('page-up', 'PageUp'),
  jump('page-down', 'PageDown'),
  jump('top', 'mod+ArrowUp'),
  jump('bottom', 'mod+ArrowDown'),
  jump('row-start', 'mod+ArrowLeft'),
  jump('row-end', 'mod+ArrowRight'),
  jump('first', 'mod+Home'),
  jump('last', 'mod+End'),
  { keys: ['Enter', 'F2'], action: { do: 'edit' } },
  step('back-enter', 'shift+Enter'),
  { keys: ['Delete', 'Backspace'], action: { do: 'clear' } },
  { keys: ['mod+Delete', 'mod+Backspace'], action: { do: 'delete-rows' } },
  { keys: ['mod+Z'], action: { do: 'restore' } },
];

/** In an editor: the keys that end it. */
const EDITOR: readonly Binding[] = [
  ...LEAVES,
  step('enter', 'Enter'),
  step('back-enter', 'shift+Enter'),
];

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const found = (bindings: readonly Binding[], event: KeyPress): KeyAction | null =>
  bindings.find(({ keys }) => keys.some((keys) => matches(keys, event)))?.action ?? null;

/** What a key does on a cell that is not being edited; `toggles` where Space switches its value. */
export function cellKey(event: KeyPress, toggles: boolean): KeyAction | null {
  const bare = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === ' ' && bare) {
    if (event.shiftKey) return { do: 'select-row' };
    if (toggles) return { do: 'toggle' };
  }
  const bound = found(CELL, event);
  if (bound) return bound;
  return bare && ONE_CHARACTER.test(event.key) ? { do: 'type', text: event.key } : null;
}

/** What a key does on a row header. */
export function rowHeaderKey(event: KeyPress): KeyAction | null {
  if (event.key === ' ' || matches('Enter', event)) return { do: 'select-row' };
  if (matches('Delete', event)) return { do: 'delete-rows' };
  const bound = found(CELL, event);
  return bound?.do === 'step' || bound?.do === 'jump' || bound?.do === 'cancel' ? bound : null;
}

/**
 * What a key does in an editor; null where it belongs to the editor.
 * @param lines whether the editor takes several lines: then Alt+Enter is its own
 */
export function editorKey(event: KeyPress, mode: EditorMode): KeyAction | null {
  return found(EDITOR, event) ?? (mode === 'typing' ? found(MOVES, event) : null);
}
