import { viewer as texts } from '#messages/document-keys.ts';
import { keySheetOf, shortcutsOf } from '#web/ui/key-map.ts';

const KEY_MAP = {
  take: ['alt+Enter', texts.take],
  nextPage: ['alt+PageDown', texts.nextPage],
  previousPage: ['alt+PageUp', texts.previousPage],
  scrollDown: ['alt+shift+ArrowDown', texts.scrollDown],
  scrollUp: ['alt+shift+ArrowUp', texts.scrollUp],
  fit: ['alt+shift+Home', texts.fit],
  nextFile: ['alt+shift+PageDown', texts.nextFile],
  previousFile: ['alt+shift+PageUp', texts.previousFile],
  find: ['mod+F', texts.find],
  zoomIn: ['+', texts.zoomIn],
  zoomOut: ['-', texts.zoomOut],
  actualSize: ['1', texts.actualSize],
  fitWidth: ['0', texts.fitWidth],
  fitPage: ['9', texts.fitPage],
  rotate: ['R', texts.rotate],
} as const;

/** The keys of the document. */
export const VIEWER_KEYS = shortcutsOf(KEY_MAP);
export const VIEWER_KEY_LIST = keySheetOf(KEY_MAP);
