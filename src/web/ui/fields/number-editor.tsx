import { TextInput } from '@mantine/core';
import { useRef } from 'react';
import { type EditorProps, valueOf } from './editor.ts';
import classes from './fields.module.css';
import { tied } from './tied.tsx';
import { readTyped, type TypedRules } from './typed-text.ts';

interface NumberEditorProps extends EditorProps {
  readonly rules: TypedRules;
}

/**
 * A number as the text that was typed: nothing is rounded or grouped. One that is written as the reader's
 * locale has it gets the form of the field when the field is left or Enter is pressed.
 */
export function NumberEditor({
  rules,
  control,
  value,
  onChange,
  onBlur,
  ...rest
}: NumberEditorProps) {
  const typedIn = useRef(false);
  const { emptyAs: _, ...own } = rest;
  const complete = () => {
    if (!typedIn.current || value === null) return;
    typedIn.current = false;
    const { text } = readTyped(rules, value);
    if (text !== value) onChange(text);
  };
  return (
    <TextInput
      {...own}
      {...tied(control)}
      autoComplete="off"
      inputMode={rules.type === 'integer' ? 'numeric' : 'decimal'}
      classNames={{ input: classes.number ?? '' }}
      value={value ?? ''}
      onChange={(event) => {
        typedIn.current = true;
        onChange(valueOf(event.currentTarget.value));
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') complete();
      }}
      onBlur={() => {
        complete();
        onBlur?.();
      }}
    />
  );
}
