import type { Arrow, Jump } from '#web/grid/grid-focus.ts';
import {
  type Binding,
  boundAction,
  type KeyPress,
  MOVES,
  ROW_MOVES,
} from '#web/grid/key-bindings.ts';
import type { Shortcut } from '#web/ui/shortcuts.ts';

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

export type ListAction =
  | { readonly do: 'move' | 'extend'; readonly to: Arrow | Jump }
  | { readonly do: 'toggle' | 'open' | 'all' | 'leave' }
  /** pixels, for lists that are wider than their pane */
  | { readonly do: 'scroll'; readonly by: number };

/** Pixels. */
const SIDEWAYS = 120;

const ON_ROW: readonly Binding<ListAction>[] = [
  ...ROW_MOVES.map(([keys, to]): Binding<ListAction> => ({
    keys: [keys],
    action: { do: 'move', to },
  })),
  ...ROW_MOVES.map(([keys, to]): Binding<ListAction> => ({
    keys: [`shift+${keys}`],
    action: { do: 'extend', to },
  })),
  { keys: ['mod+A'], action: { do: 'all' } },
  { keys: [' ', 'shift+ '], action: { do: 'toggle' } },
  { keys: ['Enter', 'shift+Enter'], action: { do: 'open' } },
  { keys: ['Escape'], action: { do: 'leave' } },
  { keys: ['ArrowLeft'], action: { do: 'scroll', by: -SIDEWAYS } },
  { keys: ['ArrowRight'], action: { do: 'scroll', by: SIDEWAYS } },
];

const ON_HEADING: readonly Binding<ListAction>[] = MOVES.slice(0, 6).map(([keys, to]) => ({
  keys: [keys],
  action: { do: 'move', to },
}));

/** The action of a key on a row; null: none. */
export function rowAction(event: KeyPress): ListAction | null {
  return boundAction(ON_ROW, event);
}

/** Where a key leads from a heading; null: it is a key of the rows. */
export function headingAction(event: KeyPress): ListAction | null {
  return boundAction(ON_HEADING, event);
}
