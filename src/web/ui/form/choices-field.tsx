import {
  type Control,
  type FieldPathByValue,
  type FieldValues,
  useController,
} from 'react-hook-form';
import { Checkbox } from '../inputs/checkbox.tsx';
import shared from '../shared.module.css';
import classes from './choices-field.module.css';

interface Choice {
  readonly value: string;
  readonly label: string;
  /** small text after the label */
  readonly note?: string | undefined;
}

interface ChoicesFieldProps<Values extends FieldValues> {
  readonly control: Control<Values>;
  readonly name: FieldPathByValue<Values, readonly string[]>;
  readonly label: string;
  readonly options: readonly Choice[];
  readonly description?: string;
  /** shown if there are no options */
  readonly empty?: string;
}

/** Any number of several options, as checkboxes. */
export function ChoicesField<Values extends FieldValues>(props: ChoicesFieldProps<Values>) {
  const { control, name, label, description, options, empty } = props;
  const { field } = useController({ control, name });
  const chosen: readonly string[] = field.value;
  return (
    <fieldset className={classes.fieldset}>
      <legend className={shared.quietHeading}>{label}</legend>
      {description !== undefined && <p className={shared.muted}>{description}</p>}
      {options.length === 0 && <p className={shared.muted}>{empty}</p>}
      <div className={classes.choices}>
        {options.map((option) => (
          <Checkbox
            key={option.value}
            label={
              <>
                {option.label}
                {option.note !== undefined && <span className={shared.note}> {option.note}</span>}
              </>
            }
            checked={chosen.includes(option.value)}
            onChange={({ currentTarget: { checked } }) =>
              field.onChange(
                checked
                  ? [...chosen, option.value]
                  : chosen.filter((value) => value !== option.value),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
