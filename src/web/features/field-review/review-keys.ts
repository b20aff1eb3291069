import { fieldReview as texts } from '#messages/page-keys.ts';
import { keySheetOf, shortcutsOf } from '#web/ui/key-map.ts';

const KEY_MAP = {
  right: [' ', texts.right],
  next: ['Enter', texts.next],
  previous: ['shift+Enter', texts.previous],
  edit: ['F2', texts.edit],
  undo: ['mod+Z', texts.undo],
  redo: ['mod+shift+Z', texts.redo],
  nextGroup: ['PageDown', texts.nextGroup],
  previousGroup: ['PageUp', texts.previousGroup],
  larger: ['alt+L', texts.larger],
  open: ['alt+Enter', texts.open],
  plan: ['mod+Enter', texts.plan],
} as const;

/** The keys of the page on which one field of many records is reviewed. */
export const REVIEW_KEYS = shortcutsOf(KEY_MAP);
export const REVIEW_KEY_LIST = keySheetOf(KEY_MAP);
