import { TextInput } from '@mantine/core';
import { type EditorProps, valueOf } from './editor.ts';
import { tied } from './tied.tsx';

/** One line of text. */
export function TextEditor({ control, value, onChange, emptyAs, ...rest }: EditorProps) {
  return (
    <TextInput
      {...rest}
      {...tied(control)}
      autoComplete="off"
      value={value ?? ''}
      onChange={(event) => onChange(valueOf(event.currentTarget.value, emptyAs))}
    />
  );
}
