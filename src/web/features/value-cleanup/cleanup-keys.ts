import { keys as texts } from '#messages/value-cleanup.ts';
import { keySheetOf, shortcutsOf } from '#web/ui/key-map.ts';

const KEY_MAP = {
  right: ['ArrowDown', texts.right],
  accept: ['Enter', texts.accept],
  refuse: ['Delete', texts.refuse],
  next: ['alt+ArrowDown', texts.next],
  previous: ['alt+ArrowUp', texts.previous],
  preview: ['mod+Enter', texts.preview],
} as const;

/** The keys of the page that cleans up values. */
export const CLEANUP_KEYS = shortcutsOf(KEY_MAP);
export const CLEANUP_KEY_LIST = keySheetOf(KEY_MAP);
