import { useEffect } from 'react';

let unsavedForms = 0;

/** Counts a form with input that is stored nowhere yet, not even in this browser. */
export function useUnsavedInput(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    unsavedForms += 1;
    return () => {
      unsavedForms -= 1;
    };
  }, [isUnsaved]);
}

/** Whether leaving the page would lose input of a form. */
export function hasUnsavedInput(): boolean {
  return unsavedForms > 0;
}
