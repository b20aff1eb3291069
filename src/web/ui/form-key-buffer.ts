import { useLayoutEffect } from 'react';
import { mayTakeFocus, requestFocus } from './focus-request.ts';
import {
  bufferKeys,
  discardKeys,
  type KeyHandling,
  prependKeys,
  takeKeys,
  wereKeysDiscarded,
} from './key-buffer.ts';
import { isUnmodified, typesCharacter } from './shortcuts.ts';

/** Requests the focus for a form, and buffers what is typed until the form takes it. */
export function bufferFormKeys(): void {
  requestFocus();
  bufferKeys(handleKey);
}

/** Ends the buffering for the form that took the focus. @returns the keys, in their order */
export function takeFormKeys(): readonly KeyboardEvent[] {
  return takeKeys(handleKey);
}

/** Ends the buffering; the form is not awaited, or must not get the keys. */
export function discardFormKeys(): void {
  discardKeys(handleKey);
}

/** A key that was entered has requested another form: those after it are meant for that one. @returns whether it has */
export function bufferAgain(keys: readonly KeyboardEvent[]): boolean {
  return prependKeys(handleKey, keys);
}

/** Whether a form may take the focus, and with it what is typed from now on. */
export function mayTakeKeys(form: Element | null): boolean {
  return !wereKeysDiscarded() && mayTakeFocus(form);
}

/** Buffers keys while a form of the page is awaited that will take the focus. */
export function useFormKeyBuffer(isAwaited: boolean): void {
  // Before the effect with which the form takes the focus.
  useLayoutEffect(() => {
    if (isAwaited) bufferFormKeys();
    else discardFormKeys();
  }, [isAwaited]);
  useLayoutEffect(() => discardFormKeys, []);
}

/** Until something is typed, other keys act on the page; after that, those that move the cursor end the buffering. */
function handleKey(event: KeyboardEvent, isEmpty: boolean): KeyHandling {
  if (!mayTakeFocus(null)) return 'discard';
  const { key, altKey } = event;
  // Only an input can compose characters of several keys.
  if (/^(?:Dead|Process)$/.test(key)) return 'refuse';
  if (typesCharacter(event) || (isUnmodified(event) && /^(?:Backspace|Tab)$/.test(key))) {
    return 'buffer';
  }
  if (isEmpty || /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock)$/.test(key)) return 'pass';
  const submits = key === 'Enter' || (altKey && /^Arrow(?:Up|Down)$/.test(key));
  return submits ? 'buffer' : 'discard';
}
