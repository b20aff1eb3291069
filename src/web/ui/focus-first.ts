/** As a `ref`: focuses the element when it is mounted, once. */
export function focusFirst(element: HTMLElement | null): void {
  element?.focus();
}

/**
 * As a `ref`: focuses the element with `data-autofocus` inside when this content of a dialog is mounted. The dialog itself
 * does so only when it opens.
 */
export function focusAutofocus(content: HTMLElement | null): void {
  content?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
}
