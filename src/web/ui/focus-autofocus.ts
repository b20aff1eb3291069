/**
 * As a `ref`: focuses the element with `data-autofocus` inside when this content of a page or dialog is mounted. A dialog
 * itself does so only when it opens.
 */
export function focusAutofocus(content: HTMLElement | null): void {
  content?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
}
