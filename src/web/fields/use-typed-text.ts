import { type ChangeEvent, type KeyboardEvent, useState } from 'react';
import { type TypeEditorProps, valueOf } from './editor.ts';
import { formatFieldValue } from './field-model.ts';
import { toInterfaceForm } from './typed-text.ts';

/**
 * Converts between a number, date or date-time in the form of the interface and the editor's text in the user's format.
 * The text stays as typed until the field loses the focus or Enter is pressed; text that cannot be parsed stays.
 */
export function useTypedText(props: TypeEditorProps) {
  const { rules, control, value, onChange, onBlur, readOnly = false, ref } = props;
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: string } | null>(
    null,
  );
  const text =
    typed !== null && typed.value === value ? typed.text : (formatFieldValue(rules, value) ?? '');
  const type = (next: string) => {
    const value = toInterfaceForm(rules, next);
    setTyped({ text: next, value });
    onChange(valueOf(value));
  };
  return {
    text,
    /** enters a text as if it was typed */
    type,
    /** writes the value in the user's format */
    settle: () => setTyped(null),
    inputProps: {
      ...control,
      type: 'text',
      ref,
      readOnly,
      autoComplete: 'off',
      value: text,
      onChange: (event: ChangeEvent<HTMLInputElement>) => type(event.currentTarget.value),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Enter') setTyped(null);
      },
      onBlur: () => {
        setTyped(null);
        onBlur?.();
      },
    },
  };
}
