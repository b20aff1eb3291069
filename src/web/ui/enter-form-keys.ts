import { flushSync } from 'react-dom';
import * as texts from '#messages/common.ts';
import { bufferAgain, takeFormKeys } from './form-key-buffer.ts';
import { notify } from './notify.ts';
import { pressKey } from './press-key.ts';

/** Elements at which Tab may stop. */
const STOPS = 'input, textarea, select, button, a[href], [tabindex]';

/** Enters the keys that were held for a form, which has just taken the focus, in their order. */
export function enterFormKeys(): void {
  const keys = takeFormKeys();
  queueMicrotask(() => {
    for (const [at, key] of keys.entries()) {
      if (bufferAgain(keys.slice(at))) return;
      // Each acts on what the previous one has rendered.
      if (flushSync(() => pressKey(key, focusNext))) continue;
      notify(texts.typeAgain);
      return;
    }
  });
}

/** Moves the focus as Tab does. */
function focusNext(from: HTMLElement, backwards: boolean): void {
  const stops = [...document.querySelectorAll<HTMLElement>(STOPS)];
  if (backwards) stops.reverse();
  for (const stop of stops.slice(stops.indexOf(from) + 1)) {
    if (stop.tabIndex < 0 || isOtherChoice(stop)) continue;
    stop.focus();
    // One that is hidden or disabled takes no focus.
    if (document.activeElement !== stop) continue;
    if (stop instanceof HTMLInputElement) stop.select();
    return;
  }
}

/** Whether Tab stops at another button of the same choice. */
function isOtherChoice(stop: HTMLElement): boolean {
  if (!(stop instanceof HTMLInputElement) || stop.type !== 'radio' || stop.checked) return false;
  return document.querySelector(`input[name="${stop.name}"]:checked`) !== null;
}
