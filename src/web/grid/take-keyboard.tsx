import { type RefObject, useEffect } from 'react';

/**
 * Gives a cell the keyboard for as long as it stands in it. A part of its own, so that the hundreds of cells that do
 * not hold the keyboard have nothing to do when they come and go.
 */
export function TakeKeyboard({ of }: { readonly of: RefObject<HTMLElement | null> }) {
  useEffect(() => of.current?.focus({ preventScroll: true }), [of]);
  return null;
}
