import { hasRule } from '#shared/values/registry.ts';
import { inputModeOf, type TypeEditorProps } from './editor.ts';
import inputClasses from '#web/ui/inputs/input.module.css';
import classes from './fields.module.css';
import { formatFieldValue } from './field-model.ts';
import { useWritten } from './use-written.ts';

/** A number in the user's format, or that of the interface; nothing is rounded. */
export function NumberEditor(props: TypeEditorProps) {
  const { rules, control, readOnly = false, ref } = props;
  const written = useWritten(rules, props);
  const input = (
    <input
      {...control}
      type="text"
      ref={ref}
      readOnly={readOnly}
      autoComplete="off"
      inputMode={inputModeOf(rules)}
      className={`${inputClasses.box} ${classes.number}`}
      value={written.value}
      onChange={(event) => written.onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') written.onEnter();
      }}
      onBlur={written.onBlur}
    />
  );
  // Whole numbers may be years or identifiers, so their digits are not grouped.
  if (!hasRule(rules.type, 'scale')) return input;
  // An overlay while it is not edited: replacing the text itself would move the cursor and the selection.
  return (
    <div className={classes.amount}>
      {input}
      <span aria-hidden="true" className={classes.grouped}>
        {formatFieldValue(rules, props.value, { grouped: true })}
      </span>
    </div>
  );
}
