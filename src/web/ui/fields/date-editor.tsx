import { TextInput } from '@mantine/core';
import { useRef } from 'react';
import { type EditorProps, valueOf } from './editor.ts';
import classes from './fields.module.css';
import { tied } from './tied.tsx';
import { readTyped } from './typed-text.ts';

interface DateEditorProps extends EditorProps {
  readonly type: 'date' | 'datetime';
}

const FORMS = { date: 'YYYY-MM-DD', datetime: 'YYYY-MM-DDTHH:mm:ss+hh:mm' };

/**
 * A day, or a date and time with its offset from UTC, as text. What is typed short, or as the reader's
 * locale has it, gets the form of the field when the field is left or Enter is pressed; what nobody typed in stays as it is.
 */
export function DateEditor({ type, control, value, onChange, onBlur, ...rest }: DateEditorProps) {
  const typedIn = useRef(false);
  const { emptyAs: _, ...own } = rest;
  const complete = () => {
    if (!typedIn.current || value === null) return;
    typedIn.current = false;
    const { text } = readTyped({ type, options: null }, value);
    if (text !== value) onChange(text);
  };
  return (
    <TextInput
      {...own}
      {...tied(control)}
      autoComplete="off"
      placeholder={FORMS[type]}
      classNames={{ input: classes.digits ?? '' }}
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
