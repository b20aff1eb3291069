import { type EditorProps, valueOf } from './editor.ts';
import inputClasses from '#web/ui/inputs/input.module.css';

/** One line of text. */
export function TextEditor({ control, value, onChange, emptyAs, ...rest }: EditorProps) {
  return (
    <input
      {...rest}
      {...control}
      type="text"
      className={inputClasses.box}
      autoComplete="off"
      value={value ?? ''}
      onChange={(event) => onChange(valueOf(event.currentTarget.value, emptyAs))}
    />
  );
}
