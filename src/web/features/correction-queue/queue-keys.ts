import type { Shortcut } from '#web/ui/shortcuts.ts';
import type { KeyInWords } from '#web/ui/key-sheet.tsx';

export const QUEUE_KEYS = {
  flag: 'mod+shift+L',
  listField: 'F9',
} satisfies Record<string, Shortcut>;

/** The keys of the queue in words, for the sheet of all keys. */
export const QUEUE_KEY_LIST: readonly KeyInWords[] = [
  { keys: 'mod+Enter', does: 'Save and next; without changes: count it as unchanged' },
  { keys: 'alt+ArrowDown', does: 'Skip it' },
  { keys: 'alt+ArrowUp', does: 'Back to the one before' },
  { keys: QUEUE_KEYS.listField, does: 'To the field that the list is about' },
  { keys: QUEUE_KEYS.flag, does: 'Flag it for later, with a note' },
  { keys: 'mod+shift+Enter', does: 'At the end: the next list that has revisions' },
];
