import { enterText } from './enter-text.ts';
import { typesCharacter } from './shortcuts.ts';

/**
 * Presses a key again, at the element that has the focus now.
 * @param onTab moves the focus from the element
 * @returns false: it types something, but there is no input for it
 */
export function pressKey(
  event: KeyboardEvent,
  onTab: (from: HTMLElement, backwards: boolean) => void,
): boolean {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event;
  const modifiers = { ctrlKey, metaKey, altKey, shiftKey };
  const init = { key, code, ...modifiers, bubbles: true, cancelable: true };
  const target = document.activeElement;
  const isUnhandled = target?.dispatchEvent(new KeyboardEvent('keydown', init)) ?? true;
  if (!isUnhandled) return true;
  // The browser does its own part only for keys that the user presses.
  if (typesCharacter(event)) return enterText(key);
  if (key === 'Backspace') return enterText('', 1);
  if (key === 'Enter' && target instanceof HTMLTextAreaElement) return enterText('\n');
  if (key === 'Tab' && target instanceof HTMLElement) onTab(target, shiftKey);
  return true;
}
