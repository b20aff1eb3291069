import { useEffectEvent, useLayoutEffect, useRef } from 'react';

/**
 * Commits the entered text to a value that is stored elsewhere, such as in the address.
 * @param value as committed last, by this input or otherwise
 * @param onCommit receives an entry that differs from it
 * @param onReplaced the value has changed otherwise, such as by the browser's Back button; called before that is painted
 */
export function useCommittedInput(
  value: string,
  onCommit: (entry: string) => void,
  onReplaced: (value: string) => void,
): (entry: string) => void {
  const committed = useRef(value);
  const replace = useEffectEvent((next: string) => {
    // A value that this input has committed itself is not a replacement: the input may have been changed again.
    if (next === committed.current) return;
    committed.current = next;
    onReplaced(next);
  });
  useLayoutEffect(() => replace(value), [value]);
  return (entry) => {
    if (entry === committed.current) return;
    committed.current = entry;
    onCommit(entry);
  };
}
