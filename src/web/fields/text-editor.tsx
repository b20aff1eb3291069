import { type EditorProps, valueOf } from './editor.ts';
import classes from './fields.module.css';

/** One line of text. */
export function TextEditor({ control, value, onChange, emptyAs, ...rest }: EditorProps) {
  return (
    <input
      {...rest}
      {...control}
      type="text"
      className={classes.box}
      autoComplete="off"
      value={value ?? ''}
      onChange={(event) => onChange(valueOf(event.currentTarget.value, emptyAs))}
    />
  );
}
