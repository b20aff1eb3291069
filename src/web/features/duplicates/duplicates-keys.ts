import { duplicates as texts } from '#messages/page-keys.ts';
import { keySheetOf, shortcutsOf } from '#web/ui/key-map.ts';

const KEY_MAP = {
  nextGroup: ['alt+ArrowDown', texts.nextGroup],
  previousGroup: ['alt+ArrowUp', texts.previousGroup],
  nextRecord: ['ArrowRight', texts.nextRecord],
  previousRecord: ['ArrowLeft', texts.previousRecord],
  edit: ['E', texts.edit],
  notDuplicate: ['N', texts.notDuplicate],
  merge: ['M', texts.merge],
  differing: ['D', texts.differing],
} as const;

/** The keys of the page that compares duplicates. */
export const DUPLICATES_KEYS = shortcutsOf(KEY_MAP);
export const DUPLICATES_KEY_LIST = keySheetOf(KEY_MAP);
