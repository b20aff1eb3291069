import { placeholderOf, type TypeEditorProps } from './editor.ts';
import inputClasses from '#web/ui/inputs/input.module.css';
import classes from './fields.module.css';
import { useTypedText } from './use-typed-text.ts';

/** A time of day, in the user's format or that of the interface. */
export function TimeEditor(props: TypeEditorProps) {
  const { inputProps } = useTypedText(props);
  return (
    <input
      {...inputProps}
      placeholder={placeholderOf(props.rules)}
      className={`${inputClasses.box} ${classes.digits}`}
    />
  );
}
