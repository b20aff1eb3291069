import { useEffect, useEffectEvent, useRef } from 'react';
import * as texts from '#messages/common.ts';
import { enterText } from './enter-text.ts';
import { bufferKeys, discardKeys, type KeyHandler, takeKeys } from './key-buffer.ts';
import { notify } from './notify.ts';
import { typesCharacter } from './shortcuts.ts';

/** A rendered dialog has the focus long before this, also in a busy browser, in milliseconds. */
const MAX_WAIT = 5_000;

/**
 * Buffers keys between the opening of a dialog and its first focus, and enters the typed text into the focused field of
 * the dialog; without one, a notice reports that it was not entered. Escape closes the dialog.
 * @param isRendered while the code of the dialog is loaded, there is no time limit
 */
export function useDialogKeyBuffer(
  isAwaited: boolean,
  isRendered: boolean,
  onEscape?: () => void,
): void {
  const escape = useEffectEvent(() => onEscape?.());
  const handler = useRef<KeyHandler>(() => 'pass');
  useEffect(() => {
    if (!isAwaited) return undefined;
    const handleKey: KeyHandler = (event) => {
      if (typesCharacter(event) || event.key === 'Backspace') return 'buffer';
      if (event.key === 'Escape') escape();
      // Shortcuts of the browser, such as reloading the page, still work.
      return IGNORED.test(event.key) ? 'ignore' : 'pass';
    };
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.closest('[role="dialog"]')) {
        enterKeys(takeKeys(handleKey), target);
      }
    };
    handler.current = handleKey;
    bufferKeys(handleKey);
    addEventListener('focusin', onFocus);
    return () => {
      takeKeys(handleKey);
      removeEventListener('focusin', onFocus);
    };
  }, [isAwaited]);
  // If nothing in it takes the focus, the page gets the keys again.
  useEffect(() => {
    if (!isAwaited || !isRendered) return undefined;
    const timeout = setTimeout(() => discardKeys(handler.current), MAX_WAIT);
    return () => clearTimeout(timeout);
  }, [isAwaited, isRendered]);
}

const IGNORED = /^(?:Enter|Escape|Tab|Arrow\w+|Home|End|Page\w+|Delete)$/;

/** Enters a text at the end of what the focused field contains. */
function enterKeys(keys: readonly KeyboardEvent[], target: HTMLElement): void {
  if (keys.length === 0) return;
  const isInput = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  // Without replacing a text that is selected there.
  if (isInput && target.selectionStart !== null)
    target.setSelectionRange(target.value.length, target.value.length);
  const text = keys.reduce(
    (before, { key }) => (key === 'Backspace' ? before.slice(0, -1) : before + key),
    '',
  );
  if (text !== '' && !enterText(text)) notify(texts.typeAgain);
}
