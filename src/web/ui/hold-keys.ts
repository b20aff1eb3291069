import { useEffect, useEffectEvent } from 'react';
import * as texts from '#messages/common.ts';
import { enterText } from './enter-text.ts';
import { notify } from './notify.ts';

/** A rendered dialog has the focus long before this, in milliseconds. */
const MAX_HOLD = 1_000;

/**
 * Keeps keys from the page between the opening of a dialog and its first focus, and enters the typed text into the
 * focused field of the dialog (decision 0038); without one, a notice says that it is not entered. Escape closes the
 * dialog.
 * @param isRendered while the code of the dialog is loaded, there is no time limit
 */
export function useHoldKeys(isHolding: boolean, isRendered: boolean, onEscape?: () => void): void {
  const escape = useEffectEvent(() => onEscape?.());
  useEffect(() => (isHolding ? holdKeys(escape) : undefined), [isHolding]);
  // If nothing in it takes the focus, the page gets the keys again.
  useEffect(() => {
    if (!isHolding || !isRendered) return undefined;
    const timeout = setTimeout(release, MAX_HOLD);
    return () => clearTimeout(timeout);
  }, [isHolding, isRendered]);
}

/** Ends the current hold. */
let release = (): void => undefined;

function holdKeys(onEscape: () => void): () => void {
  let typed = '';
  const hold = (event: KeyboardEvent) => {
    // Shortcuts of the browser, such as reloading the page, still work.
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isText) typed += event.key;
    else if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if (event.key === 'Escape') onEscape();
    else if (!/^(?:Enter|Tab|Arrow\w+|Home|End|Page\w+|Delete)$/.test(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const arrive = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || !target.closest('[role="dialog"]')) return;
    end();
    if (typed === '') return;
    // Without replacing a text that is selected there.
    const isInput = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isInput && target.selectionStart !== null)
      target.setSelectionRange(target.value.length, target.value.length);
    if (!enterText(typed)) notify(texts.typeAgain);
  };
  const end = () => {
    removeEventListener('keydown', hold, { capture: true });
    removeEventListener('focusin', arrive);
  };
  addEventListener('keydown', hold, { capture: true });
  addEventListener('focusin', arrive);
  release = end;
  return end;
}
