import { hasRule } from '#shared/values/registry.ts';
import { inputModeOf, placeholderOf, type TypeEditorProps } from './editor.ts';
import inputClasses from '#web/ui/inputs/input.module.css';
import classes from './fields.module.css';
import { formatFieldValue } from './field-model.ts';
import { useTypedText } from './use-typed-text.ts';

/** A number or a time of day, in the user's format or that of the interface; nothing is rounded. */
export function TypedLineEditor(props: TypeEditorProps) {
  const { rules, value } = props;
  const { inputProps } = useTypedText(props);
  const input = (
    <input
      {...inputProps}
      inputMode={inputModeOf(rules)}
      placeholder={placeholderOf(rules)}
      className={`${inputClasses.box} ${classes.digits}`}
    />
  );
  // Only decimals: whole numbers may be years or identifiers, so their digits are not grouped.
  if (!hasRule(rules.type, 'scale')) return input;
  // An overlay while it is not edited: replacing the text itself would move the cursor and the selection.
  return (
    <div className={classes.amount}>
      {input}
      <span aria-hidden="true" className={classes.grouped}>
        {formatFieldValue(rules, value, { grouped: true })}
      </span>
    </div>
  );
}
