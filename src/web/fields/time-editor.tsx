import { placeholderOf, type TypeEditorProps } from './editor.ts';
import inputClasses from '#web/ui/inputs/input.module.css';
import classes from './fields.module.css';
import { useWritten } from './use-written.ts';

/** A time of day, in the user's format or that of the interface. */
export function TimeEditor(props: TypeEditorProps) {
  const { rules, control, readOnly = false, ref } = props;
  const written = useWritten(rules, props);
  return (
    <input
      {...control}
      type="text"
      ref={ref}
      readOnly={readOnly}
      autoComplete="off"
      placeholder={placeholderOf(rules)}
      className={`${inputClasses.box} ${classes.digits}`}
      value={written.value}
      onChange={(event) => written.onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') written.onEnter();
      }}
      onBlur={written.onBlur}
    />
  );
}
