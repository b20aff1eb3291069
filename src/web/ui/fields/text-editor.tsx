import { TextInput } from '@mantine/core';
import { type EditorProps, valueOf } from './editor.ts';

/** One line of text. */
export function TextEditor({ control, value, onChange, emptyAs, ...rest }: EditorProps) {
  return (
    <TextInput
      {...rest}
      {...control}
      error={control?.['aria-invalid']}
      autoComplete="off"
      value={value ?? ''}
      onChange={(event) => onChange(valueOf(event.currentTarget.value, emptyAs))}
    />
  );
}
