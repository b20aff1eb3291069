import { useEffect } from 'react';

/** Keys that only move the cursor or the view: while they are held they go on moving. */
const MOVES = /^(?:Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End|Tab|F8|[+-])$/;

/** The newest key that was pressed anew; its `defaultPrevented` tells later whether the page acted on it. */
let pressed: KeyboardEvent | undefined;

/**
 * The one policy for keys that are held down, for the whole page: one press, one act. A key repeats only
 * where it moves (arrows, Page, Home, End, Tab, F8, zoom by + and -) or types in a text field. Any other
 * repeated key neither reaches a handler of the page, nor activates the button that has received the focus
 * meanwhile, so no handler has to look at `event.repeat` itself.
 */
export function useOneActPerPress(): void {
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
  // Where the first press was the browser's own, such as zooming or undoing in a field, so are the next ones.
  const wasTaken = pressed?.code === event.code && pressed.defaultPrevented;
  if (wasTaken || activates(event) || pastes(event)) event.preventDefault();
}

/** Whether a key changes the text that the cursor is in. */
function types({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (!isTextField(target)) return false;
  // With Ctrl and Alt together some keyboards type signs, such as @.
  const isText = /^.$/u.test(key) && !metaKey && ctrlKey === altKey;
  if (isText || key === 'Dead' || key === 'Process') return true;
  if (altKey) return false;
  if (key === 'Backspace' || key === 'Delete') return true;
  return key === 'Enter' && !ctrlKey && !metaKey && !(target instanceof HTMLInputElement);
}

/** Whether the browser would press a button, follow a link or send a form. */
function activates({ key, target }: KeyboardEvent): boolean {
  return key === 'Enter' && target instanceof Element && !target.matches('textarea');
}

/** A paste into a text field is seen as it happens; one into anything else is an act. */
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
