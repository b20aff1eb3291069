import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Hears Escape within a dialog of the component library, whose own way would also hear the Escape of
 * dialogs that stand above it.
 * @param inside an element of the dialog
 */
export function useEscape(inside: RefObject<HTMLElement | null>, onEscape: () => void): void {
  const heard = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    // An open dropdown takes its Escape for itself.
    if (target.dataset['mantineStopPropagation'] === 'true') return;
    const dialog = inside.current?.closest('[role="dialog"]');
    if (target === document.body || dialog?.contains(target)) onEscape();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => heard(event);
    // Before the dropdown hears it and closes, after which nobody could tell.
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}
