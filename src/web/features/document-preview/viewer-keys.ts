import type { Shortcut } from '#web/ui/shortcuts.ts';

/** The keys of the document. */
export const VIEWER_KEYS = {
  take: 'alt+Enter',
  nextPage: 'alt+PageDown',
  previousPage: 'alt+PageUp',
  scrollDown: 'alt+shift+ArrowDown',
  scrollUp: 'alt+shift+ArrowUp',
  fit: 'alt+shift+Home',
  nextFile: 'alt+shift+PageDown',
  previousFile: 'alt+shift+PageUp',
  find: 'mod+F',
  zoomIn: '+',
  zoomOut: '-',
  actualSize: '1',
  fitWidth: '0',
  fitPage: '9',
  rotate: 'R',
} satisfies Record<string, Shortcut>;

/** The keys of the document in words, for the sheet of all keys. */
export const VIEWER_KEY_LIST: readonly { readonly keys: Shortcut; readonly does: string }[] = [
  { keys: VIEWER_KEYS.take, does: 'Put the text selected in the document into the field' },
  { keys: VIEWER_KEYS.nextPage, does: 'Next page of the document, also from the form' },
  { keys: VIEWER_KEYS.previousPage, does: 'Previous page of the document, also from the form' },
  { keys: VIEWER_KEYS.scrollDown, does: 'Scroll the document down, also from the form' },
  { keys: VIEWER_KEYS.scrollUp, does: 'Scroll the document up, also from the form' },
  { keys: VIEWER_KEYS.fit, does: 'The whole page, or as wide as its pane, also from the form' },
  { keys: VIEWER_KEYS.nextFile, does: 'Next file of the revision, also from the form' },
  { keys: VIEWER_KEYS.previousFile, does: 'Previous file of the revision, also from the form' },
  { keys: VIEWER_KEYS.find, does: 'In the document: search in its text' },
  { keys: VIEWER_KEYS.zoomIn, does: 'In the document: larger' },
  { keys: VIEWER_KEYS.zoomOut, does: 'In the document: smaller' },
  { keys: VIEWER_KEYS.actualSize, does: 'In the document: in its own size, 100 %' },
  { keys: VIEWER_KEYS.fitWidth, does: 'In the document: as wide as its pane' },
  { keys: VIEWER_KEYS.fitPage, does: 'In the document: the whole page' },
  { keys: VIEWER_KEYS.rotate, does: 'In the document: turn the view' },
];
