import { type Ref, useImperativeHandle } from 'react';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { VIEWER_KEYS } from './viewer-keys.ts';

/** What keys of the form do with the documents of a revision. */
const MOVES = [
  'nextPage',
  'previousPage',
  'scrollDown',
  'scrollUp',
  'fit',
  'nextFile',
  'previousFile',
] as const;
export type Move = (typeof MOVES)[number];

/** Something that a key moves from elsewhere. */
export interface Mover {
  readonly move: (move: Move) => void;
}

/** Lets keys of elsewhere move what stands here. */
export function useMover(ref: Ref<Mover> | undefined, move: Mover['move']): void {
  useImperativeHandle(ref, () => ({ move }));
}

/** Part of what is seen that one key scrolls by: lines that were read stay in sight. */
export const SCROLLED_PART = 0.4;

/** Hears the keys that move the document, wherever the cursor is. */
export function useMoveKeys(move: (move: Move) => void, enabled = true): void {
  // Lists of suggestions and numbers would take the arrows.
  const options = { inFields: true, first: true, enabled };
  useShortcut(VIEWER_KEYS.nextPage, () => move('nextPage'), options);
  useShortcut(VIEWER_KEYS.previousPage, () => move('previousPage'), options);
  useShortcut(VIEWER_KEYS.scrollDown, () => move('scrollDown'), options);
  useShortcut(VIEWER_KEYS.scrollUp, () => move('scrollUp'), options);
  useShortcut(VIEWER_KEYS.fit, () => move('fit'), options);
  useShortcut(VIEWER_KEYS.nextFile, () => move('nextFile'), options);
  useShortcut(VIEWER_KEYS.previousFile, () => move('previousFile'), options);
}

/** Whether something said by another window is a move. */
export function isMove(said: unknown): said is Move {
  return MOVES.some((move) => move === said);
}
