/**
 * Enters a text into the focused input as if it was typed, at the cursor.
 * @param replaced how many characters before the cursor it replaces, if none are selected
 * @returns whether an input that can be changed has the focus
 */
export function enterText(text: string, replaced = 0): boolean {
  const input = document.activeElement;
  if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement)) return false;
  const { selectionStart, selectionEnd, value } = input;
  // Buttons of a choice have no text.
  if (selectionStart === null || input.readOnly) return false;
  const isSelected = selectionStart !== selectionEnd;
  const start = Math.max(0, selectionStart - (isSelected ? 0 : replaced));
  input.setRangeText(text, start, selectionEnd ?? value.length, 'end');
  input.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
}
