import { useEffect } from 'react';

/** Frames in which whatever removed the focused element can move the focus itself. */
const FRAMES = 3;

/**
 * Keeps the keyboard in the page. Where the element with the focus is removed, hidden or disabled, browsers move the
 * focus to the body, and no key reaches the page any more. Then it moves to the dialog that is left, or to the grid of
 * the page, or to its heading, unless something else takes it within three frames.
 */
export function useFocusFallback(): void {
  useEffect(() => {
    /** the element that had the focus last, and all around it */
    let focused: readonly Element[] = [];
    let frames = 0;
    const remember = (event: FocusEvent) => {
      focused = event.composedPath().filter((target) => target instanceof Element);
    };
    const look = () => {
      if (!isLost(focused[0])) frames = 0;
      else if (frames++ < FRAMES) requestAnimationFrame(look);
      else {
        frames = 0;
        fallbackOf(focused)?.focus({ preventScroll: true });
      }
    };
    const observer = new MutationObserver(() => {
      if (frames === 0 && isLost(focused[0])) look();
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['disabled', 'hidden', 'inert'],
    });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}

/** Whether the focus was taken from an element. A click on nothing moves it as well, but leaves the element in place. */
function isLost(element: Element | undefined): boolean {
  const { activeElement, body } = document;
  if (!element || (activeElement !== null && activeElement !== body)) return false;
  return !element.isConnected || element.matches(':disabled, [hidden] *, [inert] *');
}

function fallbackOf(focused: readonly Element[]): HTMLElement | null {
  const left = focused.find((element) => element.isConnected);
  const dialog = left?.closest<HTMLElement>('[role="dialog"]');
  if (dialog) return dialog;
  const page = document.querySelector('main');
  return (
    page?.querySelector<HTMLElement>('[role="grid"][tabindex="0"], [role="grid"] [tabindex="0"]') ??
    page?.querySelector<HTMLElement>('h1[tabindex]') ??
    null
  );
}
