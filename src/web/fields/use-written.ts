import { useState } from 'react';
import { type EditorProps, type EditorRules, valueOf } from './editor.ts';
import { formatFieldValue } from './field-model.ts';
import { meantText } from './typed-text.ts';

/**
 * Converts between a number, date or date-time in the form of the interface and the editor's text in the user's format.
 * The text stays as typed until the field loses the focus or Enter is pressed; text that cannot be parsed stays.
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
