/** As a `ref`: focuses the element when it is mounted, once. */
export function focusFirst(element: HTMLElement | null): void {
  element?.focus();
}
