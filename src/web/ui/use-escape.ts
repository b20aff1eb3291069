import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Handles Escape in a dialog of the component library, whose own handler would also receive the Escape of dialogs above
 * it.
 * @param inside an element of the dialog
 */
export function useEscape(inside: RefObject<HTMLElement | null>, onEscape: () => void): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    // An open dropdown handles its Escape itself.
    if (target.dataset['mantineStopPropagation'] === 'true') return;
    const dialog = inside.current?.closest('[role="dialog"]');
    if (target === document.body || dialog?.contains(target)) onEscape();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event);
    // In the capture phase: after the dropdown has closed, its state could no longer be checked.
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}
