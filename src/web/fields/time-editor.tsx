import { placeholderOf, type TypeEditorProps } from './editor.ts';
import inputClasses from '#web/ui/inputs/input.module.css';
import classes from './fields.module.css';
import { useWritten } from './use-written.ts';

/** A time of day, in the user's format or that of the interface. */
export function TimeEditor(props: TypeEditorProps) {
  const { inputProps } = useWritten(props);
  return (
    <input
      {...inputProps}
      placeholder={placeholderOf(props.rules)}
      className={`${inputClasses.box} ${classes.digits}`}
    />
  );
}
