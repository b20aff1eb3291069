import * as texts from '#messages/archive-list.ts';
import type { Arrow, Jump } from '#web/grid/grid-focus.ts';
import { type Binding, boundAction, MOVES, ROW_MOVES } from '#web/grid/key-bindings.ts';
import type { KeyPress, Shortcut } from '#web/ui/shortcuts.ts';

export const LIST_KEYS = {
  correct: 'mod+shift+Enter',
} satisfies Record<string, Shortcut>;

/** The keys of the list with descriptions, for the key sheet. */
export const LIST_KEY_LIST: readonly { readonly keys: Shortcut; readonly does: string }[] = [
  {
    keys: 'ArrowDown',
    does: texts.keys.move,
  },
  { keys: 'Enter', does: texts.keys.open },
  { keys: ' ', does: texts.keys.toggle },
  { keys: 'shift+ArrowDown', does: texts.keys.extend },
  { keys: 'mod+A', does: texts.keys.all },
  {
    keys: LIST_KEYS.correct,
    does: texts.keys.correct,
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

/** The target of a key on a heading; null: it is a key of the rows. */
export function headingAction(event: KeyPress): ListAction | null {
  return boundAction(ON_HEADING, event);
}
