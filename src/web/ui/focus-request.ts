/** The element that had the focus when the last form or plan was requested. */
let before: Element | null = null;

/** The focus is requested for a form or a plan before it is loaded. */
export function requestFocus(): void {
  before = document.activeElement;
}

/**
 * Whether a form that was requested earlier may take the focus now: not if the user has moved the focus into an input or
 * dialog outside the form meanwhile. The rest of the text typed there would go into the form.
 */
export function mayTakeFocus(form: Element | null): boolean {
  const { activeElement } = document;
  const now = dialogOrInputOf(activeElement);
  return now === null || now === dialogOrInputOf(before) || form?.contains(activeElement) === true;
}

/**
 * As a `ref`: focuses a button for which the focus was requested earlier, unless the user has moved it into an input
 * meanwhile. Dialogs that open move it as well, which does not matter.
 */
export function focusUnlessTyping(button: HTMLButtonElement | null): void {
  const { activeElement } = document;
  if (activeElement === before || !activeElement?.matches('input, textarea, select'))
    button?.focus();
}

function dialogOrInputOf(element: Element | null): Element | null {
  return element?.closest('[role="dialog"]') ?? element?.closest('input, textarea, select') ?? null;
}
