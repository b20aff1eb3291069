import { useState } from 'react';

/**
 * Commits the entered text to a value that is stored elsewhere, such as in the address.
 * @param value as committed last, by this input or otherwise
 * @param onCommit receives an entry that differs from it
 * @param onReplaced the value has changed otherwise, such as by the browser's Back button; called while rendering
 */
export function useCommittedInput(
  value: string,
  onCommit: (entry: string) => void,
  onReplaced: (value: string) => void,
): (entry: string) => void {
  const [synced, setSynced] = useState(value);
  const [committed, setCommitted] = useState(value);
  if (value !== synced) {
    setSynced(value);
    // A value that this input has committed itself is not a replacement: the input may have been changed again.
    if (value !== committed) {
      setCommitted(value);
      onReplaced(value);
    }
  }
  return (entry) => {
    if (entry === committed) return;
    setCommitted(entry);
    onCommit(entry);
  };
}
