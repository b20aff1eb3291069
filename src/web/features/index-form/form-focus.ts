/**
 * Focuses a field of the form; the first field if the path does not exist.
 * @param selects whether its text is selected; else the cursor is at its end
 */
export function focusField(form: HTMLElement | null, path: string | null, selects = true): void {
  const shells = [...(form?.querySelectorAll<HTMLElement>('[data-field]') ?? [])];
  const shell = shells.find(({ dataset }) => dataset['field'] === path) ?? shells[0];
  if (shell) focusEditor(shell, selects);
}

/** Focuses the editor of a field. */
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

/** The path of the field that contains the focused element. */
export function fieldPathOf(target: EventTarget | null): string | null {
  return target instanceof Element ? (fieldElementOf(target)?.dataset['field'] ?? null) : null;
}

/** The field that contains an element. */
export function fieldElementOf(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>('[data-field]');
}
