import { type Ref, useImperativeHandle } from 'react';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { VIEWER_KEYS } from './viewer-keys.ts';

/** The commands by which keys of the form control the documents of a revision. */
export type MoveCommand =
  | 'nextPage'
  | 'previousPage'
  | 'scrollDown'
  | 'scrollUp'
  | 'fit'
  | 'nextFile'
  | 'previousFile';

/** The interface for moving a document from outside. */
export interface ViewerHandle {
  readonly move: (move: MoveCommand) => void;
}

/** Lets keys outside the component move its document. */
export function useViewerHandle(
  ref: Ref<ViewerHandle> | undefined,
  move: ViewerHandle['move'],
): void {
  useImperativeHandle(ref, () => ({ move }));
}

/** The fraction of the visible size by which one key scrolls: lines that were read stay visible. */
export const SCROLLED_PART = 0.4;

/** Handles the keys that move the document, wherever the focus is. */
export function useMoveKeys(move: (move: MoveCommand) => void, enabled = true): void {
  // Lists of suggestions and number inputs would handle the arrow keys.
  const options = { inFields: true, first: true, enabled };
  useShortcut(VIEWER_KEYS.nextPage, () => move('nextPage'), options);
  useShortcut(VIEWER_KEYS.previousPage, () => move('previousPage'), options);
  useShortcut(VIEWER_KEYS.scrollDown, () => move('scrollDown'), options);
  useShortcut(VIEWER_KEYS.scrollUp, () => move('scrollUp'), options);
  useShortcut(VIEWER_KEYS.fit, () => move('fit'), options);
  useShortcut(VIEWER_KEYS.nextFile, () => move('nextFile'), options);
  useShortcut(VIEWER_KEYS.previousFile, () => move('previousFile'), options);
}
