import { useState } from 'react';
import { type EditorProps, type EditorRules, valueOf } from './editor.ts';
import { formatFieldValue } from './field-model.ts';
import { meantText } from './typed-text.ts';

/**
 * Between a number, date or date-time that a form holds in the form of the interface and what stands in its
 * editor, which is written by the reader's customs. What is being typed stays as it is typed until the field
 * is left or Enter is pressed; what cannot be read stays for good.
 */
export function useWritten(
  rules: EditorRules,
  { value, onChange, onBlur }: Pick<EditorProps, 'value' | 'onChange' | 'onBlur'>,
) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly meant: string } | null>(
    null,
  );
  return {
    value:
      typed !== null && typed.meant === value ? typed.text : (formatFieldValue(rules, value) ?? ''),
    onChange: (text: string) => {
      const meant = meantText(rules, text);
      setTyped({ text, meant });
      onChange(valueOf(meant));
    },
    onEnter: () => setTyped(null),
    onBlur: () => {
      setTyped(null);
      onBlur?.();
    },
  };
}
