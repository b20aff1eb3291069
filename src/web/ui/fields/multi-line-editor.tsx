import { Textarea } from '@mantine/core';
import { type EditorProps, valueOf } from './editor.ts';
import classes from './fields.module.css';
import { applyEdit } from './line-breaks.ts';
import { tied } from './tied.tsx';

/** Text of several lines; grows with it. Line breaks stay as they are stored (CRLF, LF or CR). */
export function MultiLineEditor({ control, value, onChange, emptyAs, ...rest }: EditorProps) {
  return (
    <Textarea
      {...rest}
      {...tied(control)}
      autoComplete="off"
      rows={1}
      classNames={{ input: classes.lines ?? '' }}
      value={value ?? ''}
      onChange={(event) =>
        onChange(valueOf(applyEdit(value ?? '', event.currentTarget.value), emptyAs))
      }
    />
  );
}
