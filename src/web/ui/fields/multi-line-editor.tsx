import { type EditorProps, valueOf } from './editor.ts';
import classes from './fields.module.css';
import { applyEdit } from './line-breaks.ts';

/** Text of several lines; grows with it. Line breaks stay as they are stored (CRLF, LF or CR). */
export function MultiLineEditor({ control, value, onChange, emptyAs, ...rest }: EditorProps) {
  return (
    <textarea
      {...rest}
      {...control}
      autoComplete="off"
      rows={1}
      className={`${classes.box} ${classes.lines}`}
      value={value ?? ''}
      onChange={(event) =>
        onChange(valueOf(applyEdit(value ?? '', event.currentTarget.value), emptyAs))
      }
    />
  );
}
