import { matches, type Shortcut } from '#web/ui/shortcuts.ts';

export const LIST_KEYS = {
  correct: 'mod+shift+Enter',
} satisfies Record<string, Shortcut>;

/** The keys of the list in words, for the sheet of all keys. */
export const LIST_KEY_LIST: readonly { readonly keys: Shortcut; readonly does: string }[] = [
  {
    keys: 'ArrowDown',
    does: 'Next row; ↑ the one before, from the first row to the headings; Page and End keys further',
  },
  { keys: 'Enter', does: 'Open the form of the row' },
  { keys: ' ', does: 'Select the row, or not' },
  { keys: 'shift+ArrowDown', does: 'Select rows on from here' },
  { keys: 'mod+A', does: 'Select all that match' },
  {
    keys: LIST_KEYS.correct,
    does: 'Correct what is selected one by one; where nothing is, all that match; where none does, the next list',
  },
];

export type GridAction =
  | { readonly kind: 'move'; readonly to: number; readonly extend: boolean }
  | { readonly kind: 'toggle' | 'open' | 'all' | 'leave' }
  /** pixels, for lists wider than their pane */
  | { readonly kind: 'sideways'; readonly by: number };

interface Place {
  readonly cursor: number;
  readonly count: number;
  /** whole rows on the screen */
  readonly page: number;
}

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const SIDEWAYS = 120;

/** What a key means in the list; null: nothing. */
export function gridAction(event: Keys, { cursor, count, page }: Place): GridAction | null {
  if (matches('mod+A', event)) return { kind: 'all' };
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: cursor + 1,
    ArrowUp: cursor - 1,
    PageDown: cursor + page,
    PageUp: cursor - page,
    Home: 0,
    End: count - 1,
  };
  const to = steps[event.key];
  if (to !== undefined) {
    if (count === 0) return null;
    const bounded = Math.min(Math.max(to, 0), count - 1);
    return { kind: 'move', to: bounded, extend: event.shiftKey };
  }
  switch (event.key) {
    case ' ':
      return { kind: 'toggle' };
    case 'Enter':
      return { kind: 'open' };
    case 'Escape':
      return { kind: 'leave' };
    case 'ArrowLeft':
      return { kind: 'sideways', by: -SIDEWAYS };
    case 'ArrowRight':
      return { kind: 'sideways', by: SIDEWAYS };
    default:
      return null;
  }
}
