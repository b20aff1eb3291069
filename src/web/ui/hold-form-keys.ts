import { useLayoutEffect } from 'react';
import * as texts from '#messages/common.ts';
import { mayTakeFocus, requestFocus } from './focus-request.ts';
import { notify } from './notify.ts';

/** Keys that were pressed since a form was requested; null: none is awaited. */
let held: KeyboardEvent[] | null = null;
/** Whether a part of the text was dropped: the rest of it must not go into the form either. */
let isDropped = false;

/**
 * Requests the focus for a form, and keeps what is typed from the page until the form takes it (decision 0038). Until
 * something is typed, all other keys act on the page.
 */
export function holdKeys(): void {
  requestFocus();
  isDropped = false;
  held ??= [];
  addEventListener('keydown', hold, true);
}

/** Ends the hold. @returns the keys, in their order */
export function takeHeldKeys(): readonly KeyboardEvent[] {
  removeEventListener('keydown', hold, true);
  const keys = held ?? [];
  held = null;
  return keys;
}

/** Ends the hold; the form is not awaited, or must not get the keys. A notice says if something was typed. */
export function dropHeldKeys(): void {
  if (takeHeldKeys().length === 0) return;
  isDropped = true;
  notify(texts.typeAgain);
}

/** Whether the form may take the focus, and with it what is typed from now on. */
export function mayTakeKeys(form: Element | null): boolean {
  return !isDropped && mayTakeFocus(form);
}

/** A held key has requested another form: the keys after it are meant for that one. @returns whether it has */
export function holdAgain(keys: readonly KeyboardEvent[]): boolean {
  held?.unshift(...keys);
  return held !== null;
}

/** Holds keys while a form of the page is awaited that will take the focus. */
export function useHeldKeys(isAwaited: boolean): void {
  // Before the effect with which the form takes the focus.
  useLayoutEffect(() => {
    if (isAwaited) holdKeys();
    else dropHeldKeys();
  }, [isAwaited]);
  useLayoutEffect(() => dropHeldKeys, []);
}

function hold(event: KeyboardEvent): void {
  if (!held || !mayTakeFocus(null)) return dropHeldKeys();
  const { key, ctrlKey, metaKey, altKey } = event;
  // With Ctrl and Alt together some keyboards type characters, such as @.
  const isTyped = !metaKey && ctrlKey === altKey && /^(?:.|Backspace|Tab)$/u.test(key);
  const ends = key === 'Enter' || (altKey && /^Arrow(?:Up|Down)$/.test(key));
  // Only an input can compose characters of several keys.
  const isPart = /^(?:Dead|Process)$/.test(key);
  if (isTyped || isPart || (ends && held.length > 0)) {
    held.push(event);
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  const isModifier = /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock)$/.test(key);
  if (isPart || (held.at(-1) !== event && held.length > 0 && !isModifier)) dropHeldKeys();
}
