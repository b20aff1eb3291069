import type { Shortcut } from '#web/ui/shortcuts.ts';

/** Undo what was saved, in a form and in the list of its archive. */
export const UNDO_KEYS = {
  undo: 'mod+Z',
  redo: 'mod+Y',
  redoAlternative: 'mod+shift+Z',
} as const satisfies Record<string, Shortcut>;
