import { useEffect } from 'react';

/** Keys that only move the cursor or the view: they repeat while held. */
const MOVES = /^(?:Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End|Tab|F8|[+-])$/;

/** The last non-repeated key press; its `defaultPrevented` shows later whether the page handled it. */
let pressed: KeyboardEvent | undefined;

/**
 * The single policy for held keys, for the whole page: one press, one action. A key repeats only if it moves (arrows,
 * Page, Home, End, Tab, F8, zoom by + and -) or types in a text field. Any other repeated key neither reaches a handler
 * of the page, nor activates a button that has received the focus meanwhile, so no handler has to check `event.repeat`
 * itself.
 */
export function useIgnoreKeyRepeat(): void {
  useEffect(() => {
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

function onKey(event: KeyboardEvent): void {
  if (!event.repeat) {
    pressed = event;
    return;
  }
  if (MOVES.test(event.key) || types(event)) return;
  event.stopImmediatePropagation();
  // If the browser handled the first press itself, such as zooming or undoing in a field, it also handles the
  // repetitions.
  const wasTaken = pressed?.code === event.code && pressed.defaultPrevented;
  if (wasTaken || activates(event) || pastes(event)) event.preventDefault();
}

/** Whether a key changes the text of the focused field. */
function types({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (!isTextField(target)) return false;
  // With Ctrl and Alt together some keyboards type characters, such as @.
  const isText = /^.$/u.test(key) && !metaKey && ctrlKey === altKey;
  if (isText || key === 'Dead' || key === 'Process') return true;
  if (altKey) return false;
  if (key === 'Backspace' || key === 'Delete') return true;
  return key === 'Enter' && !ctrlKey && !metaKey && !(target instanceof HTMLInputElement);
}

/** Whether the browser would press a button, follow a link or submit a form. */
function activates({ key, target }: KeyboardEvent): boolean {
  return key === 'Enter' && target instanceof Element && !target.matches('textarea');
}

/** A paste into a text field is a visible edit; into anything else it is an action. */
function pastes({ key, target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'v' && (ctrlKey || metaKey) && !isTextField(target);
}

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches(
        'textarea, input:not([type=checkbox], [type=radio], [type=button], [type=file])',
      ))
  );
}
