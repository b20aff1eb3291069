/** As a `ref`: the cursor goes to the element when it appears, and not again. */
export function focusFirst(element: HTMLElement | null): void {
  element?.focus();
}
