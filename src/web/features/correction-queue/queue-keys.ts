import { queue as texts } from '#messages/page-keys.ts';
import { keySheetOf, shortcutsOf } from '#web/ui/key-map.ts';

const KEY_MAP = {
  saveAndNext: ['mod+Enter', texts.saveAndNext],
  skip: ['alt+ArrowDown', texts.skip],
  back: ['alt+ArrowUp', texts.back],
  listField: ['F9', texts.listField],
  flag: ['mod+shift+L', texts.flag],
  nextList: ['mod+shift+Enter', texts.nextList],
} as const;

/** The keys of the queue. */
export const QUEUE_KEYS = shortcutsOf(KEY_MAP);
export const QUEUE_KEY_LIST = keySheetOf(KEY_MAP);
