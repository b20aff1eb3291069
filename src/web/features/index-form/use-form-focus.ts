import { type FocusEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FormContext } from './form-context.ts';
import { fieldPathOf, focusField } from './form-focus.ts';
import { enterFormKeys } from '#web/ui/enter-form-keys.ts';
import { mayTakeKeys } from '#web/ui/form-key-buffer.ts';
import { labelOf } from './form-values.ts';
import type { InputAssist } from './input-assist.ts';

interface FormFocusOptions extends Pick<
  FormContext,
  'archive' | 'focusOn' | 'focusSelects' | 'onFocused' | 'onFieldFocus'
> {
  readonly inputAssist: InputAssist;
}

/** The field that has or last had the focus, and moving the focus. */
export function useFormFocus(options: FormFocusOptions) {
  const { archive, focusOn, inputAssist } = options;
  const body = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => () => inputAssist.currentField.set(null), [inputAssist]);
  const focusOnMount = useEffectEvent((to: string | null) => {
    if (mayTakeKeys(body.current)) {
      focusField(body.current, to, options.focusSelects);
      enterFormKeys();
    }
    options.onFocused();
  });
  useEffect(() => {
    if (focusOn !== undefined) focusOnMount(focusOn);
  }, [focusOn]);
  return {
    /** the element with the fields */
    body,
    /** the path of that field; null: none yet */
    current,
    goTo: (path: string | null) => focusField(body.current, path),
    isInside: () =>
      document.activeElement !== null && body.current?.contains(document.activeElement) === true,
    onFocusCapture: (event: FocusEvent) => {
      const path = fieldPathOf(event.target);
      if (path === null) return;
      setCurrent(path);
      inputAssist.currentField.set(labelOf(archive, path) ?? null);
      options.onFieldFocus(path);
    },
  };
}

export type FormFocus = ReturnType<typeof useFormFocus>;
