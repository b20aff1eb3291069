import { useEffect, useEffectEvent } from 'react';

/** A dialog that stands has the cursor long before this, in milliseconds. */
const LONGEST = 1_000;

/**
 * Keeps what is typed from the page between the moment when a dialog is opened and the one when it has the cursor,
 * and types it into the field of the dialog in which the cursor is then. Escape gives the dialog up.
 * @param stands whether the dialog is there; while it is still being fetched this lasts as long as that does
 */
export function useHoldKeys(holding: boolean, stands: boolean, onEscape?: () => void): void {
  const give = useEffectEvent(() => onEscape?.());
  useEffect(() => (holding ? holdKeys(give) : undefined), [holding]);
  // Where nothing in it takes the cursor, the keys are the page's again.
  useEffect(() => {
    if (!holding || !stands) return undefined;
    const late = setTimeout(release, LONGEST);
    return () => clearTimeout(late);
  }, [holding, stands]);
}

/** Ends what is held now, if anything is. */
let release = (): void => undefined;

function holdKeys(onEscape: () => void): () => void {
  let typed = '';
  const hold = (event: KeyboardEvent) => {
    // The browser's own, such as reloading the page, stay its own.
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
    if (typed === '' || !(target instanceof HTMLInputElement)) return;
    target.setRangeText(typed, target.value.length, target.value.length, 'end');
    target.dispatchEvent(new Event('input', { bubbles: true }));
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
