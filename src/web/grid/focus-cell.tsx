import { type RefObject, useEffect } from 'react';

/**
 * Focuses a cell while it is rendered inside it. A separate component, so that the hundreds of cells without focus have
 * no effect to run.
 */
export function FocusCell({ of }: { readonly of: RefObject<HTMLElement | null> }) {
  useEffect(() => of.current?.focus({ preventScroll: true }), [of]);
  return null;
}
