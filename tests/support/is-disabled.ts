/** Whether a button ignores presses: the submit button of a form keeps the focus, so it is not `disabled` for the browser. */
export function isDisabled(button: Element | null): boolean {
  return button?.matches(':disabled, [aria-disabled="true"]') === true;
}
