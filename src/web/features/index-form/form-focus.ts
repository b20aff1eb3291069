/**
 * Puts the cursor into a field of the form; into the first field where there is no such place.
 * @param selects whether its text is selected; else the cursor stands at its end
 */
export function focusPlace(form: HTMLElement | null, place: string | null, selects = true): void {
  const shells = [...(form?.querySelectorAll<HTMLElement>('[data-field]') ?? [])];
  const shell = shells.find(({ dataset }) => dataset['field'] === place) ?? shells[0];
  if (shell) focusEditor(shell, selects);
}

/** Puts the cursor into the editor of a field. */
export function focusEditor(shell: HTMLElement, selects = true): void {
  const editor =
    shell.querySelector<HTMLInputElement>('input:checked') ??
    shell.querySelector<HTMLInputElement | HTMLTextAreaElement>(
      'input:not([type="hidden"]), textarea',
    );
  if (!editor) return;
  editor.focus();
  if (editor.type !== 'radio') {
    if (selects) editor.select();
    else editor.setSelectionRange(editor.value.length, editor.value.length);
  }
  editor.scrollIntoView({ block: 'nearest' });
}

/**
 * Whether somebody types into a dialog beside the form, such as the note of a flag: a form that has loaded since then
 * must not take the focus, or the rest of what is typed would go into its field.
 */
export function isTypingBeside(): boolean {
  const { activeElement } = document;
  return (
    activeElement?.matches('input, textarea') === true &&
    activeElement.closest('[role="dialog"]:not([aria-modal="true"])') !== null
  );
}

/** The place of the field in which something has the focus. */
export function placeOf(target: EventTarget | null): string | null {
  return target instanceof Element ? (shellOf(target)?.dataset['field'] ?? null) : null;
}

/** The field that an element belongs to. */
export function shellOf(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>('[data-field]');
}
