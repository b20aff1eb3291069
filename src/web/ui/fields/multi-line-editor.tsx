import { Textarea } from '@mantine/core';
import { type EditorProps, valueOf } from './editor.ts';
import classes from './fields.module.css';
import { applyEdit } from './line-breaks.ts';

/** Text of several lines; grows with it. Line breaks stay as they are stored (CRLF, LF or CR). */
export function MultiLineEditor({ control, value, onChange, emptyAs, ...rest }: EditorProps) {
  return (
    <Textarea
      {...rest}
      {...control}
      error={control?.['aria-invalid']}
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
