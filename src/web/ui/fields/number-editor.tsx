import { TextInput } from '@mantine/core';
import { type EditorProps, valueOf } from './editor.ts';
import classes from './fields.module.css';
import { tied } from './tied.tsx';

interface NumberEditorProps extends EditorProps {
  readonly type: 'integer' | 'decimal';
}

/** A number as the text that was typed: nothing is rounded, grouped or completed. */
export function NumberEditor({ type, control, value, onChange, ...rest }: NumberEditorProps) {
  const { emptyAs: _, ...own } = rest;
  return (
    <TextInput
      {...own}
      {...tied(control)}
      autoComplete="off"
      inputMode={type === 'integer' ? 'numeric' : 'decimal'}
      classNames={{ input: classes.number ?? '' }}
      value={value ?? ''}
      onChange={(event) => onChange(valueOf(event.currentTarget.value))}
    />
  );
}
