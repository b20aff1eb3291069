import { useMemo, useRef } from 'react';

/** The focus that is requested for a form before the form is loaded. */
export interface FocusRequest {
  /** the form is requested now */
  readonly begin: () => void;
  /** see `mayTakeFocus` */
  readonly mayTakeFocus: (form: Element | null) => boolean;
}

/** The last request for the focus of a page's form. */
export function useFocusRequest(): FocusRequest {
  const before = useRef<Element | null>(null);
  return useMemo(
    () => ({
      begin: () => {
        before.current = document.activeElement;
      },
      mayTakeFocus: (form) => mayTakeFocus(form, before.current),
    }),
    [],
  );
}

/**
 * Whether a form that was requested earlier may take the focus now: not if the user has moved the focus into an input or
 * dialog outside the form meanwhile. The rest of the text typed there would go into the form.
 * @param before the element that had the focus when the form was requested
 */
export function mayTakeFocus(form: Element | null, before: Element | null): boolean {
  const { activeElement } = document;
  const now = dialogOrInputOf(activeElement);
  return now === null || now === dialogOrInputOf(before) || form?.contains(activeElement) === true;
}

function dialogOrInputOf(element: Element | null): Element | null {
  return element?.closest('[role="dialog"]') ?? element?.closest('input, textarea, select') ?? null;
}
