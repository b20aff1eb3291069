import * as texts from '#messages/common.ts';
import { notify } from './notify.ts';

/** What happens to a key while keys are buffered. */
export type KeyHandling =
  | 'buffer'
  /** neither the buffer nor the page gets it */
  | 'ignore'
  /** it is discarded together with the buffered keys */
  | 'refuse'
  /** the buffered keys are discarded, and the page gets it */
  | 'discard'
  /** the page gets it, and the buffered keys stay */
  | 'pass';

/**
 * Decides on each key.
 * @param isEmpty whether no key is buffered yet
 */
export type KeyHandler = (event: KeyboardEvent, isEmpty: boolean) => KeyHandling;

interface KeyBuffer {
  readonly handler: KeyHandler;
  readonly keys: KeyboardEvent[];
}

/** The buffer of the form or dialog that was requested last; null: none is awaited. */
let buffer: KeyBuffer | null = null;
let wasDiscarded = false;

/**
 * Keeps typed keys from the page until they are taken (decision 0038). Those that the same handler has buffered before
 * stay; those of another one are discarded.
 */
export function bufferKeys(handler: KeyHandler): void {
  if (buffer && buffer.handler !== handler) discardKeys(buffer.handler);
  wasDiscarded = false;
  buffer ??= { handler, keys: [] };
  addEventListener('keydown', onKeyDown, true);
}

/** Ends the buffering for a handler. @returns the keys, in their order */
export function takeKeys(handler: KeyHandler): readonly KeyboardEvent[] {
  if (buffer?.handler !== handler) return [];
  removeEventListener('keydown', onKeyDown, true);
  const { keys } = buffer;
  buffer = null;
  return keys;
}

/** Puts keys before those that are buffered for a handler. @returns false: none are buffered for it */
export function prependKeys(handler: KeyHandler, keys: readonly KeyboardEvent[]): boolean {
  if (buffer?.handler !== handler) return false;
  buffer.keys.unshift(...keys);
  return true;
}

/** Ends the buffering for a handler. A notice reports discarded keys. */
export function discardKeys(handler: KeyHandler): void {
  if (takeKeys(handler).length === 0) return;
  wasDiscarded = true;
  notify(texts.typeAgain);
}

/** Whether keys were discarded since the last request: the text that follows them must not be entered either. */
export function wereKeysDiscarded(): boolean {
  return wasDiscarded;
}

function onKeyDown(event: KeyboardEvent): void {
  if (!buffer) return;
  const { handler, keys } = buffer;
  const handling = handler(event, keys.length === 0);
  if (handling === 'pass') return;
  if (handling === 'buffer' || handling === 'refuse') keys.push(event);
  if (handling === 'refuse' || handling === 'discard') discardKeys(handler);
  if (handling === 'discard') return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
