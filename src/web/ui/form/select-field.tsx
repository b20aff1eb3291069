import {
  type Control,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  useController,
} from 'react-hook-form';
import { type ControlProps, Field } from '../field.tsx';
import { Select, type SelectOption } from '../inputs/select.tsx';

interface SelectFieldProps<Values extends FieldValues, Name extends FieldPath<Values>> {
  readonly control: Control<Values>;
  readonly name: Name;
  /** without it, `aria-label` names the input */
  readonly label?: string;
  readonly 'aria-label'?: string;
  readonly placeholder?: string;
  readonly options: readonly SelectOption<FieldPathValue<Values, Name> & string>[];
  /** whether the value can be cleared */
  readonly isClearable?: boolean;
}

/** One of several options. */
export function SelectField<Values extends FieldValues, Name extends FieldPath<Values>>(
  props: SelectFieldProps<Values, Name>,
) {
  const { control, name, label, options, isClearable = false, ...rest } = props;
  const { field, fieldState } = useController({ control, name });
  const select = (controlProps: ControlProps) => (
    <Select
      {...controlProps}
      {...rest}
      ref={field.ref}
      options={options}
      value={options.find(({ value }) => value === field.value)?.value ?? null}
      onChange={field.onChange}
      onBlur={field.onBlur}
      {...(isClearable ? { onClear: () => field.onChange(null) } : {})}
    />
  );
  if (label === undefined) return select({ 'aria-invalid': fieldState.invalid });
  const message = fieldState.error?.message;
  return (
    <Field label={label} errors={message === undefined ? [] : [message]}>
      {select}
    </Field>
  );
}
