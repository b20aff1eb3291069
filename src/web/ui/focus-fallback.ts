import { useEffect } from 'react';

/** How many frames the code that removed the focused element has to move the focus itself. */
const FRAMES = 3;

/**
 * Keeps the focus in the page. If the focused element is removed, hidden or disabled, browsers move the focus to the
 * body, and no key reaches the page any more. Then the focus moves to the open dialog, or to the grid of the page, or
 * to its heading, unless something else takes it within three frames.
 */
export function useFocusFallback(): void {
  useEffect(() => {
    /** the last focused element, and its ancestors */
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

/** Whether no element has the focus. */
export function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body;
}

/** As a `ref`: focuses the element when it is mounted while no element has the focus. */
export function focusIfLost(element: HTMLElement | null): void {
  if (isFocusLost()) element?.focus();
}

/**
 * Whether an element has lost the focus by removal. A click on an empty area moves it as well, but leaves the element
 * in place.
 */
function isLost(element: Element | undefined): boolean {
  if (!element || !isFocusLost()) return false;
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
